-- The search of investors by any word of their names: the rest of a name from each of its words on, in lower case.
CREATE TABLE name_tokens (
  token TEXT NOT NULL,                      -- of 'Ana Maria Sol': 'ana maria sol', 'maria sol' and 'sol'
  seq INTEGER NOT NULL,                     -- of the investor in `users`
  PRIMARY KEY (token, seq)
) STRICT, WITHOUT ROWID;

-- UNION leaves out a rest that is there already, which ends the recursion at the last word.
INSERT INTO name_tokens (token, seq)
  WITH RECURSIVE rests (seq, rest) AS (
    SELECT seq, lower(trim(fullname)) FROM users WHERE role = 'investor'
    UNION SELECT seq, lower(trim(display_name)) FROM users WHERE role = 'investor'
    UNION SELECT seq, ltrim(substr(rest, instr(rest, ' ') + 1)) FROM rests)
  SELECT rest, seq FROM rests ORDER BY rest, seq;

CREATE TRIGGER users_named AFTER INSERT ON users
WHEN NEW.role = 'investor'
BEGIN
  INSERT INTO name_tokens (token, seq)
    SELECT rest, NEW.seq FROM (
      WITH RECURSIVE rests (rest) AS (
        SELECT lower(trim(NEW.fullname)) UNION SELECT lower(trim(NEW.display_name))
        UNION SELECT ltrim(substr(rest, instr(rest, ' ') + 1)) FROM rests)
      SELECT rest FROM rests);
END;
CREATE TRIGGER users_renamed AFTER UPDATE OF fullname, display_name ON users
WHEN NEW.role = 'investor' AND (NEW.fullname <> OLD.fullname OR NEW.display_name <> OLD.display_name)
BEGIN
  DELETE FROM name_tokens WHERE seq = OLD.seq AND token IN (
    SELECT rest FROM (
      WITH RECURSIVE rests (rest) AS (
        SELECT lower(trim(OLD.fullname)) UNION SELECT lower(trim(OLD.display_name))
        UNION SELECT ltrim(substr(rest, instr(rest, ' ') + 1)) FROM rests)
      SELECT rest FROM rests));
  INSERT INTO name_tokens (token, seq)
    SELECT rest, NEW.seq FROM (
      WITH RECURSIVE rests (rest) AS (
        SELECT lower(trim(NEW.fullname)) UNION SELECT lower(trim(NEW.display_name))
        UNION SELECT ltrim(substr(rest, instr(rest, ' ') + 1)) FROM rests)
      SELECT rest FROM rests);
END;

-- The table takes their place.
DROP INDEX users_by_display_name;
DROP INDEX users_by_fullname;
DROP INDEX users_by_further_names;
DROP INDEX users_by_last_name;
