import { installNodes } from '../nodes/packages.ts'
import { installVenueClient } from '../venues/packages.ts'

/** Installs what the tests of the project `nodes` need. */
export default async function setup(): Promise<void> {
  await installNodes()
  await installVenueClient()
}
