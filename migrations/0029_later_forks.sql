-- What a server sends that does not stop its chain and needs a newer version, in words that follow "A server". docs/decisions/0032-payments-proven-by-the-chain.md
ALTER TABLE chain_servers ADD COLUMN notice TEXT;
