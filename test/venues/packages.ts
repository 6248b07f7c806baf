import { install } from '../../scripts/install.mjs'

/** Installs ccxt, the client that the simulated exchanges must satisfy. None of its install scripts runs. */
export async function installVenueClient(): Promise<void> {
  await install(
    import.meta.dirname,
    'Installing the client for the test venues, once. This takes some seconds.',
    ['--ignore-scripts'],
  )
}
