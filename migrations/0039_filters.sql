-- A queue that is sorted by number finds the first and the last row of a period by its time.

CREATE INDEX kyc_by_creation ON kyc_submissions (created_at);
CREATE INDEX contact_messages_by_creation ON contact_messages (created_at);
