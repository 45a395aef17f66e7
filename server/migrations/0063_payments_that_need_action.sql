-- Payments that somebody has to do something with stand first; the list walks this order.
create index payouts_by_need on payouts ((status in ('pending', 'processing', 'failed')), created_at, number, id);
