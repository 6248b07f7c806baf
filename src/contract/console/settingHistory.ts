import * as z from 'zod/mini'
import { isoTime } from '../common.ts'
import { endpoint } from '../endpoint.ts'

const person = z.object({ _id: z.string(), name: z.string() })

/** Since when a setting stands as it does, and what is proposed about it. */
const settingStanding = z.object({
  setting: z.string(),
  /** The last change by the audit log; null while there was none. */
  last: z.nullable(
    z.object({
      at: isoTime,
      by: person,
      /** Of a guarded one: who proposed what `by` approved. */
      proposedBy: z.nullable(person),
      proposal: z.nullable(z.string()),
    }),
  ),
  pending: z.array(z.object({ proposal: z.string(), at: isoTime, by: person, after: z.string() })),
})

export type SettingStanding = z.output<typeof settingStanding>

export const listSettingHistory = endpoint({
  method: 'GET',
  path: '/operator/settings/history',
  scope: 'operator:settings.read',
  summary: 'Of each setting: since when and by whom it stands as it does, and what is proposed about it',
  status: 200,
  answer: z.array(settingStanding),
})
