import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findFreePort } from '../../scripts/ports.mjs'
import { environment, getProgramPath, root } from '../../scripts/toolchain.mjs'
import { callNode } from './ethereum/control.ts'

let child: ChildProcess | undefined
afterAll(() => child?.kill('SIGKILL'))

test('npm run chain starts both chains with two names for each server, takes commands and ends cleanly', async () => {
  const [esplora, jsonRpc] = [await findFreePort(), await findFreePort()]
  const ports = ['--esplora-port', String(esplora), '--json-rpc-port', String(jsonRpc)]
  const started = spawn(
    getProgramPath('node'),
    [join(root, 'test/commands/chain.mjs'), 'regtest', ...ports],
    {
      env: environment,
    },
  )
  child = started
  let output = ''
  for (const stream of [started.stdout, started.stderr]) stream.on('data', (chunk) => (output += chunk))
  const printed = (words: RegExp) =>
    expect.poll(() => output, { timeout: 30_000, interval: 50 }).toMatch(words)
  const enter = async (line: string, answer: RegExp) => {
    output = ''
    started.stdin.write(`${line}\n`)
    await printed(answer)
    return output
  }

  await printed(/ETHEREUM_TOKENS=.*npm start[\s\S]*> $/)
  const urls = [esplora, jsonRpc].flatMap((port) => [`http://127.0.0.1:${port}`, `http://localhost:${port}`])
  expect(output).toContain(`BITCOIN_SERVERS="${urls[0]} ${urls[1]}" BITCOIN_NETWORK=regtest \\`)
  expect(output).toContain(`ETHEREUM_SERVERS="${urls[2]} ${urls[3]}" ETHEREUM_CHAIN_ID=31337 \\`)
  expect(output).toMatch(/ETHEREUM_TOKENS="usdt:0x[0-9a-f]{40} usdc:0x[0-9a-f]{40}" npm start/)

  const address = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
  const account = '0x00000000000000000000000000000000000000aa'
  await enter(`pay ${address} 0.015`, /^[0-9a-f]{64}\n/)
  await enter(`pay ${account} 1.5`, /^0x[0-9a-f]{64}\n/)
  await enter(`token ${account} 250`, /^0x[0-9a-f]{64}\n/)
  await enter('mine 2', /^bitcoin 14, Ethereum 3\n/)
  for (const url of urls.slice(0, 2)) {
    const [payment] = (await (await fetch(`${url}/address/${address}/txs`)).json()) as {
      vout: { value: number }[]
      status: unknown
    }[]
    expect(payment?.vout.map(({ value }) => value)).toContain(1_500_000)
    expect(payment?.status).toEqual({ confirmed: true })
  }
  for (const url of urls.slice(2))
    expect(await callNode(url, 'eth_getBalance', [account, 'latest'])).toBe('0x14d1120d7b160000')
  await enter('reorg 2', /^bitcoin 15, Ethereum 4\n/)
  await enter('pay nobody 1', /^This is no address on regtest: nobody\n/)
  await enter(`pay ${address} 0.000000001`, /This is no amount/)
  await enter('nonsense', /There is no command nonsense/)

  const exited = new Promise((resolve) => started.once('exit', resolve))
  started.kill('SIGINT')
  expect(await exited).toBe(0)
  for (const url of urls) await expect(fetch(url)).rejects.toThrow('fetch failed')
})
