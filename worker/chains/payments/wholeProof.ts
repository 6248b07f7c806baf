import { sql } from 'drizzle-orm'

/** SQL of the whole proof of the payment `p`: its own part, put into that of its transaction. */
export const WHOLE_PROOF = sql<string>`(
  CASE WHEN json_extract(p.proof, '$.shared') IS NULL THEN p.proof ELSE json_remove(json_patch(
    (SELECT proof FROM chain_transactions WHERE id = json_extract(p.proof, '$.shared')), p.proof), '$.shared') END)`
