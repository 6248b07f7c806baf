import { installTestPackages } from '../packages/packages.ts'

/** Installs what the tests of the project `nodes` need. */
export default async function setup(): Promise<void> {
  await installTestPackages()
}
