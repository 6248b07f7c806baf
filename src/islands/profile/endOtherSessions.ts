import { endSession, listSessions } from '../../contract/sessions.ts'
import { ApiFailure } from '../lib/ApiFailure.ts'
import { call, callPage } from '../lib/api.ts'

/** Ends every session of the account but the one that asks. Throws at the first that cannot be ended, after saying it. */
export async function endOtherSessions(): Promise<void> {
  let cursor: string | undefined
  do {
    const { rows, nextCursor } = await callPage(listSessions, { query: { cursor }, quiet: false })
    for (const { _id } of rows.filter(({ current }) => !current)) await endOne(_id)
    cursor = nextCursor ?? undefined
  } while (cursor !== undefined)
}

async function endOne(id: string): Promise<void> {
  const isGone = (failure: unknown) => failure instanceof ApiFailure && failure.code === 'not_found'
  try {
    await call(endSession, { params: { id }, quiet: isGone })
  } catch (failure) {
    // It ended by itself meanwhile, which is all that was wanted.
    if (!isGone(failure)) throw failure
  }
}
