import { sha256Hex } from '../../lib/crypto/tokens.ts'

/** One object of the schema, as in `sqlite_master`. */
export interface SchemaObject {
  readonly type: string
  readonly name: string
  readonly sql: string
}

/** Reads our schema, without SQLite's and the platform's own objects. */
export const SCHEMA_SQL = `
  SELECT type, name, sql FROM sqlite_master
  WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*' AND name <> 'd1_migrations'`

/** Queries that read the tables whose rows are rules, in order. */
export const RULES_SQL = [
  'SELECT * FROM account_kinds ORDER BY kind',
  'SELECT * FROM transfer_codes ORDER BY code, from_kind, to_kind',
  'SELECT * FROM request_kinds ORDER BY kind',
  'SELECT * FROM request_transitions ORDER BY queue, from_status, to_status',
  'SELECT * FROM payout_stop_causes ORDER BY cause',
  'SELECT * FROM networks ORDER BY name',
  'SELECT * FROM custody_assets ORDER BY asset',
  'SELECT * FROM chain_networks ORDER BY network',
  'SELECT * FROM payment_transitions ORDER BY from_state, to_state',
  'SELECT * FROM payout_transitions ORDER BY from_state, to_state',
  'SELECT * FROM custody_codes ORDER BY code',
  'SELECT * FROM treasury_codes ORDER BY action, code',
  'SELECT * FROM proposal_kinds ORDER BY kind',
  'SELECT * FROM proposal_roles ORDER BY kind, role',
  'SELECT * FROM announcement_topics ORDER BY topic',
]

/**
 * SHA-256 of the schema and of the rule rows. White space and comments do not count, because tools split statements
 * differently.
 */
export async function hashOfSchema(
  objects: readonly SchemaObject[],
  rules: readonly (readonly unknown[])[],
): Promise<string> {
  const lines = objects.map(({ type, name, sql }) => `${type} ${name} ${normalizeSql(sql)}`).sort()
  return sha256Hex(JSON.stringify([lines, rules]))
}

function normalizeSql(sql: string): string {
  return sql
    .replace(/'(?:[^']|'')*'|--[^\n]*|\s+/g, (part) => (part.startsWith("'") ? part : ' '))
    .replace(/'(?:[^']|'')*'|\s+/g, (part) => (part.startsWith("'") ? part : ' '))
    .trim()
}
