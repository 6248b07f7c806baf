-- What everybody may read of a strategy goes through its closes: by these alone, not also through the opens between them.
CREATE INDEX valuations_closes ON valuations (strategy, day, unit_price, recorded_at) WHERE kind = 'close';
