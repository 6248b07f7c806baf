import type { ActorCall } from '../lib/call.ts'
import { type ListFile, listFile } from '../lib/csv.ts'

interface Filter {
  readonly status?: string | undefined
  readonly query?: string | undefined
}

/**
 * A queue as a file. That somebody took it out of the house is on the audit log before its first line leaves; not what was
 * searched for, which may be a name.
 */
export async function exported<Row>(
  call: ActorCall,
  what: 'deposits' | 'withdrawals' | 'kyc' | 'messages' | 'proposals',
  { status, query }: Filter,
  file: ListFile<Row>,
): Promise<Response> {
  await call.commit({
    audit: [
      {
        action: `${what}.exported`,
        subject: call.actor.id,
        detail: { status: status || 'all', searched: query !== undefined },
      },
    ],
  })
  return listFile(call, what, { ...file, marked: true })
}
