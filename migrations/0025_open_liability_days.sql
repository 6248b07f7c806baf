-- The days that publishing still has work with: each minute it looks for them, and published days stay for ever.
CREATE INDEX liability_days_with_secret ON liability_days (day) WHERE secret IS NOT NULL;
