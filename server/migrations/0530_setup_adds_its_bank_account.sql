-- Setup adds the bank account that was typed in it as the first one, in the transaction that makes the administrator.
grant select, insert on bank_accounts to milkwood_auth;
