import { listAddresses, type SavedAddress } from '../../../contract/money/destinations.ts'
import { call } from '../../lib/api.ts'

/** All of the address book: it holds no more than one page does. */
export function loadAddresses(): Promise<SavedAddress[]> {
  return call(listAddresses)
}
