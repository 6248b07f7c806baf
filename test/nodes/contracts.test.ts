import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { requireTestPackage } from '../packages/packages.ts'

const NAMES = ['EmptyTransfer', 'Forwarder', 'Usdc', 'Usdt']

interface Solc {
  compile(input: string): string
}

interface Compiled {
  readonly errors?: readonly { readonly formattedMessage: string }[]
  readonly contracts: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly evm: { readonly bytecode: { readonly object: string } } }>>
    >
  >
}

/** The creation code of each contract. Like the default, but without a hash of the source's text. */
function compile(): Record<string, string> {
  const solc = requireTestPackage('solc') as Solc
  const source = (name: string) => ({
    content: readFileSync(join(import.meta.dirname, `contracts/${name}.sol`), 'utf8'),
  })
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(NAMES.map((name) => [name, source(name)])),
    settings: {
      optimizer: { enabled: true },
      metadata: { appendCBOR: false, bytecodeHash: 'none' },
      outputSelection: { '*': { '*': ['evm.bytecode.object'] } },
    },
  }
  const { contracts, errors = [] } = JSON.parse(solc.compile(JSON.stringify(input))) as Compiled
  expect(errors).toEqual([])
  return Object.fromEntries(NAMES.map((name) => [name, `0x${contracts[name]?.[name]?.evm.bytecode.object}`]))
}

test('the deployed code is what the sources in contracts/ compile to', async () => {
  await expect(`${JSON.stringify(compile(), null, 2)}\n`).toMatchFileSnapshot('./contracts/bytecode.json')
})
