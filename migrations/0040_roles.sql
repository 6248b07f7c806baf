-- Two more roles. Support answers messages and reads neither money nor identity documents. Compliance opens documents, freezes
-- accounts and writes confidential notes. `src/contract/roles.ts` says what each role may do: docs/decisions/0014.

INSERT INTO proposal_roles (kind, role) VALUES ('reviewer_key', 'compliance');

-- Operators who may open documents now, and so have a key. A key of anybody else is retired, except the last key in use.
DROP VIEW active_reviewers;
CREATE VIEW active_reviewers AS
  SELECT u.id FROM users u
  WHERE u.role = 'operator' AND u.disabled_at IS NULL
    AND (instr(' ' || u.operator_roles || ' ', ' reviewer ') > 0 OR instr(' ' || u.operator_roles || ' ', ' compliance ') > 0);

-- Who writes confidential notes: the role of the settings, which also freezes silently, and compliance. Auditors read them too.
CREATE VIEW confidential_authors (id) AS
  SELECT id FROM confidential_operators
  UNION SELECT id FROM users
    WHERE role = 'operator' AND disabled_at IS NULL AND instr(' ' || operator_roles || ' ', ' compliance ') > 0;
DROP VIEW confidential_readers;
CREATE VIEW confidential_readers (id) AS
  SELECT id FROM confidential_authors
  UNION SELECT id FROM users
    WHERE role = 'operator' AND disabled_at IS NULL AND instr(' ' || operator_roles || ' ', ' auditor ') > 0;

DROP TRIGGER investor_notes_written;
CREATE TRIGGER investor_notes_written BEFORE INSERT ON investor_notes
BEGIN
  SELECT RAISE(ABORT, 'investor_notes: already stored')
    WHERE EXISTS (SELECT 1 FROM investor_notes WHERE id = NEW.id OR seq = NEW.seq);
  SELECT RAISE(ABORT, 'investor_notes: author must be an operator, subject an investor')
    WHERE NOT EXISTS (SELECT 1 FROM users WHERE id = NEW.author AND role = 'operator' AND disabled_at IS NULL)
      OR NOT EXISTS (SELECT 1 FROM users WHERE id = NEW.investor AND role = 'investor' AND erased_at IS NULL);
  SELECT RAISE(ABORT, 'forbidden')
    WHERE NEW.confidential = 1 AND NOT EXISTS (SELECT 1 FROM confidential_authors WHERE id = NEW.author);
END;
