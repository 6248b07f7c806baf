import { health } from '../../../src/contract/platform/platform.ts'
import { ok } from '../../http/call.ts'
import { publicRoute } from '../../http/route.ts'
import { refuse } from '../../lib/errors.ts'

/** `ok` after a real read of the database, 503 otherwise. */
export const healthRoute = publicRoute(health, async (call) => {
  const row = await call.env.DB.prepare('SELECT count(*) AS kinds FROM account_kinds')
    .first<{ kinds: number }>()
    .catch(() => null)
  if (!row || row.kinds === 0) refuse('unavailable')
  return ok({ status: 'ok' as const })
})
