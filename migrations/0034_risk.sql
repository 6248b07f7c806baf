-- Indexes of the facts by which the risk of a case is judged (worker/console/risk): who sent the same receipt, who uses the same browser,
-- and when an account was frozen last.
CREATE INDEX deposit_details_by_receipt ON deposit_details (receipt_hash) WHERE receipt_hash IS NOT NULL;
CREATE INDEX devices_by_hash ON devices (device_hash);
CREATE INDEX audit_log_frozen ON audit_log (subject, at) WHERE action = 'investor.frozen';
