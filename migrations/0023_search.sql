-- What an operator searches for in full: a transaction id as the investor gave it, one of a first approval, an address.
CREATE INDEX deposit_details_by_txid ON deposit_details (lower(txid)) WHERE txid IS NOT NULL;
CREATE INDEX credit_approvals_by_reference ON credit_approvals (reference_key);
CREATE INDEX withdrawal_details_by_address ON withdrawal_details (address) WHERE address IS NOT NULL;
-- Who else is paid there.
CREATE INDEX withdrawal_details_by_destination ON withdrawal_details (destination_hash) WHERE destination_hash <> '';
