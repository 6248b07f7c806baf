-- The list of investors is filtered by the day of registration.
CREATE INDEX users_by_creation ON users (created_at);
