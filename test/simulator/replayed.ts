import { VenueAccount } from '../../worker/investing/venueAccount/sender.ts'
import type { BackupContents } from './lane/backup.ts'
import type { Fault } from './lane/faults.ts'
import { openWorkerd } from './lane/workerd.ts'
import { type Outcome, type RunOptions, run } from './run.ts'

/** What can be sent of a run's options. */
export interface ReplayOptions
  extends Pick<RunOptions, 'seed' | 'days' | 'investors' | 'faults' | 'haste' | 'everyMinute' | 'startMs'> {
  readonly only: readonly number[] | null
  readonly contents: BackupContents
}

/** An outcome as JSON. */
export interface SentOutcome extends Omit<Outcome, 'faults'> {
  readonly faults: readonly (readonly [Fault, number])[]
}

/**
 * The simulator as a Worker: plays the run of a request's body on the D1 and R2 of workerd. Answers with a line each simulated week,
 * so that the connection stays open, and the outcome as the last line.
 */
export default {
  fetch(
    request: Request,
    { DB, SPARE, FILES }: { DB: D1Database; SPARE: D1Database; FILES: R2Bucket },
  ): Response {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const writer = writable.getWriter()
    const send = (line: unknown): Promise<void> =>
      writer.write(new TextEncoder().encode(`${JSON.stringify(line)}\n`))
    const play = async (): Promise<void> => {
      const { only, contents, ...options } = (await request.json()) as ReplayOptions
      const outcome = await run({
        ...options,
        ...(only !== null && { only: new Set(only) }),
        open: openWorkerd(DB, SPARE, contents),
        files: FILES,
        isSynchronous: true,
        progress: (day) => void send({ day }),
      })
      const sent: SentOutcome = { ...outcome, faults: [...outcome.faults] }
      await send(sent)
      await writer.close()
    }
    play().catch((error: unknown) => writer.abort(error))
    return new Response(readable)
  },
}

// wrangler.toml names it. No exchange is part of a replay.
export { VenueAccount }
