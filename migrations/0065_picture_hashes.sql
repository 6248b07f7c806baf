-- Equal pictures of documents are found. Without a key nobody can tell whether a known picture was sent.
ALTER TABLE kyc_submissions ADD COLUMN picture_hash TEXT;          -- HMAC of the picture's SHA-256, as the browser or the server computed it
CREATE INDEX kyc_by_picture ON kyc_submissions (picture_hash) WHERE picture_hash IS NOT NULL;
