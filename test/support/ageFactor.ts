import { env } from 'cloudflare:workers'
import { withTriggerDropped } from './withTriggerDropped.ts'

/** Sets the age of the session's second factor. */
export async function ageFactor({ token }: { readonly token: string }, minutes: number): Promise<void> {
  await withTriggerDropped(env.DB, 'sessions_factor_rises', () =>
    env.DB.prepare('UPDATE sessions SET factor_at = ? WHERE id = ?')
      .bind(Date.now() - minutes * 60_000, token.split('.')[0] ?? '')
      .run(),
  )
}
