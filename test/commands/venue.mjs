// `npm run venue -- kraken --port 9100 --seed 3`: serves a simulated exchange with the protocol of a real one (docs/venues.md). When it
// listens it prints one line of JSON with its URL and a key. Nothing is kept when it ends.
//   -- kraken | coinbase
//   -- --port 9100              the default; 0 takes a free one
//   -- --seed 1                 the prices, the key and the faults follow from it
//   -- --faults storm           all faults, or some of them with commas between
//   -- --likelihood 0.1         how often a fault happens where it can
import { parseArgs } from 'node:util'
import { callWhenNpmEnds } from '../../scripts/processes.mjs'
import { runCommand } from '../../scripts/toolchain.mjs'
import { faultsOf } from '../venues/faults.ts'
import { serveVenue } from '../venues/serve.ts'
import { createVenue } from '../venues/venue.ts'

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      port: { type: 'string', default: '9100' },
      seed: { type: 'string', default: '1' },
      faults: { type: 'string', default: '' },
      likelihood: { type: 'string', default: '0.1' },
    },
  })
  const [name, ...more] = positionals
  if ((name !== 'kraken' && name !== 'coinbase') || more.length > 0)
    throw new Error('Say which exchange: npm run venue -- kraken, or coinbase')
  const [port, seed, likelihood] = [values.port, values.seed, values.likelihood].map(Number)
  for (const [option, number] of Object.entries({ port, seed, likelihood }))
    if (number === undefined || Number.isNaN(number)) throw new Error(`--${option} is no number`)
  const venue = createVenue(name, { seed, likelihood, faults: faultsOf(values.faults) })
  const { url, close } = await serveVenue(venue, port)
  const leave = () => close().then(() => process.exit(0))
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.once(signal, leave)
  if (process.env.npm_lifecycle_event) callWhenNpmEnds(leave)
  console.log(JSON.stringify({ venue: name, url, ...venue.credentials }))
}

await runCommand(main)
