import { fork } from 'node:child_process'
import { join } from 'node:path'
import { environment, getProgramPath } from '../../scripts/toolchain.mjs'
import { type BitcoinControl, bitcoinControl } from './bitcoin/control.ts'

export interface BitcoinNode extends BitcoinControl {
  /** The base URL of its Esplora interface, without a slash at the end. */
  readonly url: string
  close(): Promise<void>
}

/**
 * Starts a bcoin full node on regtest with an Esplora interface, in memory and in a process of its own. It begins with 110
 * blocks whose rewards belong to the test wallet. `installTestPackages` must have run.
 *
 * @param port 0 takes a free one
 */
export async function startBitcoin(port = 0): Promise<BitcoinNode> {
  const child = fork(join(import.meta.dirname, 'bitcoin/process.ts'), [String(port)], {
    execPath: getProgramPath('node'),
    execArgv: ['--no-warnings'],
    env: environment,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const listening = await Promise.race([
    new Promise<number>((ready) => child.once('message', (own) => ready(Number(own)))),
    exited.then(() => Promise.reject(new Error('The bitcoin node did not start, see above.'))),
  ])
  const url = `http://127.0.0.1:${listening}`
  return {
    url,
    ...bitcoinControl(url),
    async close() {
      child.kill()
      await exited
    },
  }
}
