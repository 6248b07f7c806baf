-- The search of investors by any word of their names: the rest of a folded name from each of its words on.
CREATE TABLE name_tokens (
  token TEXT NOT NULL,                      -- of 'Ana Maria Sol': 'ana maria sol', 'maria sol' and 'sol'
  seq INTEGER NOT NULL,                     -- of the investor in `users`
  PRIMARY KEY (token, seq)
) STRICT, WITHOUT ROWID;

-- UNION leaves out a rest that is there already, which ends the recursion at the last word.
INSERT INTO name_tokens (token, seq)
  WITH RECURSIVE rests (seq, rest) AS (
    SELECT seq, fullname_folded FROM users WHERE role = 'investor'
    UNION SELECT seq, display_name_folded FROM users WHERE role = 'investor'
    UNION SELECT seq, ltrim(substr(rest, instr(rest, ' ') + 1)) FROM rests)
  SELECT rest, seq FROM rests ORDER BY rest, seq;

CREATE TRIGGER users_named AFTER INSERT ON users
WHEN NEW.role = 'investor'
BEGIN
  INSERT INTO name_tokens (token, seq)
    SELECT rest, NEW.seq FROM (
      WITH RECURSIVE rests (rest) AS (
        SELECT NEW.fullname_folded UNION SELECT NEW.display_name_folded
        UNION SELECT ltrim(substr(rest, instr(rest, ' ') + 1)) FROM rests)
      SELECT rest FROM rests);
END;
CREATE TRIGGER users_renamed AFTER UPDATE OF fullname_folded, display_name_folded ON users
WHEN NEW.role = 'investor' AND (NEW.fullname_folded <> OLD.fullname_folded OR NEW.display_name_folded <> OLD.display_name_folded)
BEGIN
  DELETE FROM name_tokens WHERE seq = OLD.seq AND token IN (
    SELECT rest FROM (
      WITH RECURSIVE rests (rest) AS (
        SELECT OLD.fullname_folded UNION SELECT OLD.display_name_folded
        UNION SELECT ltrim(substr(rest, instr(rest, ' ') + 1)) FROM rests)
      SELECT rest FROM rests));
  INSERT INTO name_tokens (token, seq)
    SELECT rest, NEW.seq FROM (
      WITH RECURSIVE rests (rest) AS (
        SELECT NEW.fullname_folded UNION SELECT NEW.display_name_folded
        UNION SELECT ltrim(substr(rest, instr(rest, ' ') + 1)) FROM rests)
      SELECT rest FROM rests);
END;

-- The table takes their place.
DROP INDEX users_by_display_name;
DROP INDEX users_by_fullname;
DROP INDEX users_by_further_names;
DROP INDEX users_by_last_name;
