import type { Row } from '../scenario.ts'
import { NOW } from './situation.ts'

type Given = readonly [string, Row]

/** An investor. */
export function user(id: string, row: Row = {}): Given {
  return [
    'users',
    {
      id,
      role: 'investor',
      email: `${id}@example.com`,
      fullname: id,
      display_name: id,
      phone: '',
      country: '',
      password_hash: '',
      created_at: NOW,
      referral_code: id,
      ...row,
    },
  ]
}

/** An operator with these roles. */
export function operator(id: string, roles: string, row: Row = {}): Given {
  return user(id, { role: 'operator', operator_roles: roles, email_verified_at: NOW, ...row })
}

/** A passkey of a person: with one, an administrator counts as active. */
export function passkey(owner: string, row: Row = {}): Given {
  const id = `passkey of ${owner}`
  return [
    'passkeys',
    {
      id,
      user_id: owner,
      credential_id: id,
      public_key: '',
      sign_count: 0,
      transports: '',
      name: '',
      backed_up: 0,
      created_at: NOW,
      ...row,
    },
  ]
}

/** A pending proposal of the operator `olga`. */
export function proposal(id: string, kind: string, row: Row = {}): Given {
  return ['proposals', { id, kind, status: 'pending', created_at: NOW, proposed_by: 'olga', ...row }]
}

/** A pending request of the investor `ines` about 100 cents. */
export function request(id: string, queue: 'deposits' | 'withdrawals', row: Row = {}): Given {
  const kind = queue === 'deposits' ? 'deposit' : 'withdrawal'
  return [
    'requests',
    {
      id,
      ref: id,
      investor: 'ines',
      kind,
      queue,
      status: 'pending',
      amount: 100,
      asked: 100,
      created_at: NOW,
      ...row,
    },
  ]
}

/** What the operator `olga` did with a request of `ines`. */
export function event(of: string, status: string, row: Row = {}): Given {
  return ['request_events', { request: of, status, at: NOW, actor: 'olga', investor: 'ines', ...row }]
}

/** An account: its id is `owner:kind` or `owner:kind:subject`. */
export function account(id: string, balance: number, row: Row = {}): Given {
  const [owner = '', kind = '', subject = ''] = id.split(':')
  return ['accounts', { id, owner, kind, subject, balance, ...row }]
}

/** A transfer of 100 cents. */
export function transfer(id: string, code: string, ref: string, row: Row = {}): Given {
  return [
    'transfers',
    {
      id,
      from_account: 'ines:available',
      to_account: 'ines:held',
      amount: 100,
      code,
      ref,
      actor: 'ines',
      at: NOW,
      ...row,
    },
  ]
}

/** `at` and `seq` of an investor's last checkpoint. */
export const END = Number.MAX_SAFE_INTEGER

/** A checkpoint without money before the entry at a time. */
export function checkpoint(owner: string, at: number, seq: number, row: Row = {}): Given {
  const sums = { entries: 0, available: 0, held: 0, allocating: 0, invested: 0, owed: 0, net_paid_in: 0 }
  return ['balance_checkpoints', { owner, at, seq, ...sums, last_transfer: 0, ...row }]
}

/** What an investor had of a strategy after a movement: nothing. */
export function unitsAfter(
  investor: string,
  strategy: string,
  at: number,
  seq: number,
  row: Row = {},
): Given {
  return ['position_history', { investor, strategy, at, seq, units: 0, cost: 0, last_movement: seq, ...row }]
}

/** A pending order of `ines` about 100 cents of the strategy `s`. */
export function order(id: string, kind: 'allocate' | 'redeem', row: Row = {}): Given {
  return [
    'unit_orders',
    {
      id,
      ref: id,
      investor: 'ines',
      strategy: 's',
      kind,
      cents: 100,
      status: 'pending',
      created_at: NOW,
      ...row,
    },
  ]
}

/** A movement of a hundred units of `ines` in the strategy `s`. */
export function movement(id: string, code: string, row: Row = {}): Given {
  return [
    'unit_movements',
    {
      id,
      investor: 'ines',
      strategy: 's',
      code,
      units: code === 'issue' ? 100 : -100,
      price: 1_000_000,
      cents: 100,
      cost: 100,
      high_water: 1_000_000,
      day: NOW,
      ref: id,
      at: NOW,
      ...row,
    },
  ]
}

/** The open of a strategy's day. */
export function opening(strategy: string, day: number, row: Row = {}): Given {
  return [
    'valuations',
    {
      strategy,
      day,
      kind: 'open',
      unit_price: 1_000_000,
      net_value: 0,
      units: 0,
      weights: '{}',
      recorded_at: day,
      previous: '',
      hash: `${day}`,
      price_return: 0,
      salt: 'a'.repeat(64),
      details: '{}',
      commitment: 'a'.repeat(64),
      follows: 1,
      ...row,
    },
  ]
}

/** A silent freeze that stands. */
export function silentFreeze(id: string, investor: string, seq: number, row: Row = {}): Given {
  return [
    'silent_freezes',
    { id, investor, seq, reason: 'A report', begun_by: 'olga', begun_at: NOW, ...row },
  ]
}
