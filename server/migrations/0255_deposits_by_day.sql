-- One line of the bank may show a whole deposit: those about its day are looked at.
create index deposits_received on deposits (received_on);
