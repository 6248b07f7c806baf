-- Statements of an earlier period look up which units moved since.
CREATE INDEX unit_movements_by_time ON unit_movements (investor, at);
