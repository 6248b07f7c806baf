import type { patchSettings as endpoint } from '../../../src/contract/console/settings.ts'
import { listKeys } from '../../../src/contract/console/settingValues.ts'
import { accepted, type CallOf } from '../../http/call.ts'
import { refuse } from '../../lib/errors.ts'
import { fileProposal } from './proposal.ts'
import { proposeSettings } from './settings.ts'

/** Proposes a change of settings, which another operator decides. */
export async function changeSettings(call: CallOf<typeof endpoint>) {
  const { body } = call
  if (listKeys(body).length === 0)
    refuse('validation_failed', { msg: 'Please name at least one setting to change.' })
  return fileProposal(call, await proposeSettings(call, body, body.reason), accepted)
}
