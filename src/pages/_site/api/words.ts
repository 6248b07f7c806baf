import type { Scope } from '../../../contract/endpoint.ts'
import type { Operation } from '../../../contract/openApi.ts'
import { ROLES_OF } from '../../../contract/roles.ts'

/** Who may call a call with this scope, in words. A public call has none. */
export function describeCallers(scope: Scope | undefined): string {
  if (scope === undefined || scope === 'public') return 'Everybody'
  if (scope === 'signed-in') return 'Signed-in people'
  if (scope === 'signed-in-or-key') return 'Signed-in people, and programs and guests with a key of theirs'
  if (scope === 'monitoring') return 'Monitoring programs, with a token of their own'
  return `Operators: ${ROLES_OF[scope].join(', ')}`
}

export interface RefusalWords {
  readonly status: string
  readonly code: string
  readonly words: string
}

/** The refusals of a call, by status: each is a line of the description, a code and its sentence. */
export function parseRefusals(responses: Operation['responses']): RefusalWords[] {
  return Object.entries(responses)
    .filter(([status]) => status >= '400')
    .flatMap(([status, { description }]) =>
      description.split('\n\n').map((line) => {
        const [, code = '', words = ''] = /^`([^`]+)`: (.*)$/s.exec(line) ?? []
        return { status, code, words }
      }),
    )
}
