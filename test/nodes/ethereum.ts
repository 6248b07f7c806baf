import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { requireTestPackage } from '../packages/packages.ts'
import {
  type Contract,
  callNode,
  EPOCH_BLOCKS,
  type EthereumControl,
  ethereumControl,
  type Hex,
} from './ethereum/control.ts'

export interface EthereumNode extends EthereumControl {
  /** The URL of its JSON-RPC interface. */
  readonly url: string
  /** The URL with two names of this machine, because the platform asks two servers. */
  readonly urls: readonly [string, string]
  close(): Promise<void>
}

/**
 * Starts anvil with chain id 31337, in memory, with the contracts deployed in its first block. It mines only when asked.
 * `installTestPackages` must have run.
 *
 * @param port 0 takes a free one
 */
export async function startEthereum(port = 0): Promise<EthereumNode> {
  const options = [
    ...['--port', String(port)],
    ...['--order', 'fifo'],
    ...['--slots-in-an-epoch', String(EPOCH_BLOCKS)],
    '--no-mining',
  ]
  // The shell ends anvil when its standard input closes, so that anvil does not outlive a killed test.
  const shell = spawn('sh', ['-c', '"$0" "$@" </dev/null & cat; kill $!; wait', anvil(), ...options], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = new Promise<void>((resolve) => shell.once('exit', () => resolve()))
  let output = ''
  const url = await new Promise<string>((ready, failed) => {
    shell.stdout.on('data', (chunk) => {
      output += chunk
      const address = /Listening on (\S+)/.exec(output)?.[1]
      if (address) ready(`http://${address}`)
    })
    shell.stdout.once('close', () => failed(new Error(`anvil did not start: ${output}`)))
  })
  const accounts = await callNode<Hex[]>(url, 'eth_accounts', [])
  return {
    url,
    urls: [url, url.replace('127.0.0.1', 'localhost')],
    ...ethereumControl(url, { accounts, contracts: await deploy(url, accounts[0]) }),
    async close() {
      shell.stdin.end()
      await exited
    },
  }
}

/** The path of anvil, which npm installs as a package for each platform. */
function anvil(): string {
  const cpu = process.arch === 'x64' ? 'amd64' : process.arch
  const isWindows = process.platform === 'win32'
  const name = `@foundry-rs/anvil-${process.platform}-${cpu}`
  return join(
    dirname(requireTestPackage.resolve(`${name}/package.json`)),
    `bin/anvil${isWindows ? '.exe' : ''}`,
  )
}

const SOURCES: Readonly<Record<Contract, string>> = {
  usdt: 'Usdt',
  usdc: 'Usdc',
  fakeUsdt: 'Usdt',
  emptyTransfer: 'EmptyTransfer',
  forwarder: 'Forwarder',
}

/** Deploys every contract in one block. */
async function deploy(url: string, from: Hex | undefined): Promise<Record<Contract, Hex>> {
  const bytecode = JSON.parse(
    readFileSync(join(import.meta.dirname, 'contracts/bytecode.json'), 'utf8'),
  ) as Record<string, Hex>
  const sent: [Contract, Hex][] = []
  for (const [contract, source] of Object.entries(SOURCES) as [Contract, string][])
    sent.push([
      contract,
      await callNode<Hex>(url, 'eth_sendTransaction', [{ from, input: bytecode[source], gas: '0x200000' }]),
    ])
  await callNode(url, 'anvil_mine', ['0x1'])
  const addresses = sent.map(async ([contract, hash]) => {
    const { contractAddress } = await callNode<{ contractAddress: Hex }>(url, 'eth_getTransactionReceipt', [
      hash,
    ])
    return [contract, contractAddress] as const
  })
  return Object.fromEntries(await Promise.all(addresses)) as Record<Contract, Hex>
}
