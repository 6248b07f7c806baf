-- Everything held on one person is read by ranges of indexes, whatever is held on everybody else.

CREATE INDEX audit_log_by_actor ON audit_log (actor, seq);
CREATE INDEX audit_log_by_subject ON audit_log (subject, seq);
CREATE INDEX contact_messages_by_email ON contact_messages (email, seq);
CREATE INDEX users_by_referrer ON users (referred_by) WHERE referred_by IS NOT NULL;
CREATE INDEX proposals_by_investor ON proposals (investor, seq) WHERE investor IS NOT NULL;
CREATE INDEX withdrawal_codes_by_investor ON withdrawal_codes (investor, id);
