import { env } from 'cloudflare:workers'
import { newId } from '../../worker/lib/crypto/tokens.ts'

/** An open hit of a person on the sanctions list, by SQL. Returns its id. */
export async function newSanctionsHit(investor: string, name = 'Vasko Emil SAMPLEROV'): Promise<string> {
  const id = newId()
  const entries = JSON.stringify([{ uid: '90001', name, programs: 'SAMPLE-1', born: '01 Apr 1961' }])
  await env.DB.prepare('INSERT INTO sanctions_hits (id, investor, entries, found_at) VALUES (?, ?, ?, ?)')
    .bind(id, investor, entries, Date.now())
    .run()
  return id
}
