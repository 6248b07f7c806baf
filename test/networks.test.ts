import { expect, test } from 'vitest'
import { createFreshDatabase } from '../scripts/backup/tables.ts'
import { getCoinOfNetwork, NETWORKS } from '../src/contract/money/coins.ts'
import { CHAIN_NETWORKS, PROVED_NETWORKS } from '../src/contract/money/payments.ts'
import { parseReference } from '../src/contract/money/references.ts'

// The database has the same networks and facts as the contract, and refuses any other network.

const database = createFreshDatabase()

test('the database lists the networks of the contract, and which of them have outputs', () => {
  const hasOutputs = (network: (typeof NETWORKS)[number]) =>
    parseReference(network, `${'a'.repeat(64)}:1`).problem === null
  expect(database.prepare('SELECT name, has_outputs FROM networks ORDER BY name').all()).toEqual(
    [...NETWORKS].sort().map((name) => ({ name, has_outputs: Number(hasOutputs(name)) })),
  )
})

test('a provable network has the same chain in both lists', () => {
  const rows = database
    .prepare(
      'SELECT n.name FROM networks n JOIN chain_networks c ON c.network = n.name WHERE n.chain <> c.chain',
    )
    .all()
  expect(rows).toEqual([])
})

test('the provable networks are those of the contract, with their chains and coins', () => {
  expect(database.prepare('SELECT network, chain, coin FROM chain_networks ORDER BY network').all()).toEqual(
    [...PROVED_NETWORKS].sort().map((network) => ({
      network,
      chain: CHAIN_NETWORKS[network].chain,
      coin: getCoinOfNetwork(network),
    })),
  )
})

test('every column that names a network refers to that list', () => {
  const withNetwork = database
    .prepare(
      `SELECT t.name FROM sqlite_master t JOIN pragma_table_info(t.name) c ON c.name = 'network'
       WHERE t.type = 'table' ORDER BY t.name`,
    )
    .all()
    .map(({ name }) => String(name))
  const referring = withNetwork.filter((name) =>
    database
      .prepare(`PRAGMA foreign_key_list(${name})`)
      .all()
      .some(({ table, from, to }) => table === 'networks' && from === 'network' && to === 'name'),
  )
  expect(referring).toEqual([
    'chain_networks',
    'deposit_details',
    'owner_proofs',
    'saved_addresses',
    'wallet_totals',
    'wallets',
    'withdrawal_details',
  ])
  const others = withNetwork.filter((name) => !referring.includes(name))
  // They refer to the provable ones among them. Of registrations it is the client's IP network.
  const proved = others.filter((name) => name !== 'registrations')
  expect(others).toContain('registrations')
  for (const name of proved)
    expect([name, database.prepare(`PRAGMA foreign_key_list(${name})`).all()]).toEqual([
      name,
      expect.arrayContaining([
        expect.objectContaining({ table: 'chain_networks', from: 'network', to: 'network' }),
      ]),
    ])
  expect(proved).toEqual(expect.arrayContaining(['deposit_quotes', 'payments']))
})

test('an address on a network that is not listed is not saved', () => {
  const save = (network: string) =>
    database.exec(
      `INSERT INTO saved_addresses (id, investor, label, network, address, destination_hash, created_at)
       VALUES ('${network}', 'ana', '${network}', '${network}', 'x', '${network}', 1)`,
    )
  database.exec(
    `INSERT INTO users (id, role, email, fullname, display_name, phone, country, password_hash, created_at, referral_code)
     VALUES ('ana', 'investor', 'ana@example.com', 'x', 'x', 'x', 'x', 'x', 1, 'ana')`,
  )
  save('btc')
  expect(() => save('usdt-solana')).toThrow(/FOREIGN KEY constraint failed/)
})
