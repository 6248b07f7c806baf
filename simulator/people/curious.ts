import { Broken } from '../watch.ts'
import type { Client } from './client.ts'
import type { Operating } from './operator.ts'

/** After this time without a request, a session is over. */
const IDLE_MS = 2 * 3_600_000

/** Asks for what belongs to somebody else: it must not be there. */
export async function pry({ world, model }: Operating, client: Client): Promise<void> {
  const { token } = client
  for (const [id, { investor }] of model.strangersOf(client.email)) {
    const { status } = await client.get(`/transaction-history/${id}`)
    if (status === 200) throw new Broken('othersStayPrivate', `${client.email} sees ${id} of ${investor}`)
  }
  // An old session, left open on another computer.
  const left = model.leftOpen.get(client.email)
  if (left === undefined || world.now() < left.overAtMs) return
  model.leftOpen.delete(client.email)
  client.token = left.token
  const { status } = await client.get('/limits')
  client.token = token
  if (status === 200) throw new Broken('sessionsEnd', `${client.email}: ${left.what} still works`)
}

/** Signs out, or just closes the browser. What is left open must not work later. */
export async function leave({ world, model }: Operating, client: Client): Promise<void> {
  const { token, email } = client
  const isForgotten = Math.floor(world.now() / 1000) % 3 === 0
  if (token !== null && isForgotten)
    model.leftOpen.set(email, {
      token,
      what: 'a session that was left open',
      overAtMs: world.now() + IDLE_MS,
    })
  if (!isForgotten) {
    const { status } = await client.post('/auth/logout')
    if (token !== null && status === 204)
      model.leftOpen.set(email, { token, what: 'a session that was signed out', overAtMs: world.now() })
  }
  client.signOut()
}
