import { DAY_MS } from '../../../../src/time.ts'
import type { Row } from '../scenario.ts'
import { account, event, operator, passkey, proposal, request, silentFreeze, transfer, user } from './rows.ts'
import { copies, NOW, type Written } from './situation.ts'

const HOUR = NOW / 3_600_000

/** A bonus of `ines` for having invited `ivan`. */
const BONUS = {
  invitee: 'ivan',
  id: 'b',
  referrer: 'ines',
  amount: 5,
  setting: 's',
  deposit: 'd',
  minimum: 10_000,
  due_at: NOW,
  matures_at: NOW + 3 * DAY_MS,
  granted_at: NOW + 3 * DAY_MS,
}

/** An earlier bonus that the same operator caused. */
const EARLIER = { earlier: { deposit: 'g' } }

/** What is counted if nothing is refused. */
const COUNTED = {
  decision_totals: [
    { operator: 'house', amount: 95 },
    { operator: 'olga', amount: 40 },
    { operator: 'olga', amount: 60 },
  ],
}

function mail(id: string, recipient: string, list: string | null, nextAttemptAt: number | null) {
  const row = { id, recipient, subject: '', created_at: NOW, next_attempt_at: nextAttemptAt, list }
  return ['outbox', row] as const
}

const MAILS = {
  news: mail('news', 'ines@example.com', 'salesNews', NOW),
  features: mail('features', 'ines@example.com', 'features', NOW),
  tips: mail('tips', 'ines@example.com', 'tips', NOW),
  sent: mail('sent', 'ines@example.com', 'salesNews', null),
  'of another': mail('of another', 'ivan@example.com', 'salesNews', NOW),
} as const

const ALL_ON = { user_id: 'ines', sales_news: 1, features: 1, tips: 1, changed_at: NOW }

function mailsWithout(list: string) {
  return {
    outbox: ['news', 'features', 'tips', 'sent', 'of another']
      .filter((id) => id !== list)
      .map((id) => ({ id })),
  }
}

const MAILS_TURNED_OFF: Written['cases'] = {
  'news that was turned off is not sent any more': [{ write: { sales_news: 0 } }, mailsWithout('news')],
  'a feature mail that was turned off is not sent any more': [
    { write: { features: 0 } },
    mailsWithout('features'),
  ],
  'a tip that was turned off is not sent any more': [{ write: { tips: 0 } }, mailsWithout('tips')],
  'nothing is turned off': [{}, 'accepted'],
}

function reviewerKey(owner: string) {
  const id = `key of ${owner}`
  return [
    'reviewer_keys',
    {
      id,
      user_id: owner,
      recipient: id,
      identity: '',
      method: 'passkey',
      proposal: id,
      created_at: NOW,
      approved_by: 'olga',
      approved_at: NOW,
    },
  ] as const
}

function secondFactor(owner: string) {
  return ['second_factors', { user_id: owner, secret_sealed: '', created_at: NOW, enabled_at: NOW }] as const
}

/** Two active administrators and a disabled one. */
const ADMINISTRATORS = {
  olga: operator('olga', 'administrator'),
  'key of olga': passkey('olga'),
  omar: operator('omar', 'administrator'),
  'key of omar': passkey('omar'),
} as const

const DISABLED = { disabled_at: NOW, disabled_by: 'owner' }

/** The operator `olga` works on two cases. */
const ASSIGNED = {
  own: ['case_assignments', { case_id: 'd', operator: 'olga', at: NOW, expires_at: NOW + 1 }],
  other: ['case_assignments', { case_id: 'e', operator: 'olga', at: NOW, expires_at: NOW + 1 }],
} as const

/** A registration of `ines@example.com`. */
function registration(id: string, row: Row = {}): Row {
  return {
    id,
    email: 'ines@example.com',
    fullname: '',
    display_name: '',
    phone: '',
    country: '',
    password_hash: '',
    device_hash: '',
    network: 'n',
    created_at: NOW,
    ...row,
  }
}

const STEP_MS = 30_000

/** A wrong code of the investor `ines`, as old as still counts. */
function wrongCode(mailed: 0 | 1) {
  return ['code_failures', { id: 'w', user_id: 'ines', at: NOW - 7 * DAY_MS + 1, mailed }] as const
}

const LIMITED_MAILED_CODES: Written['cases'] = {
  'thirty wrong mailed codes in seven days are the most': [
    { wrong: copies(29, { id: 'w' }) },
    'too_many_codes',
  ],
  'one less is not': [{ wrong: copies(28, { id: 'w' }) }, 'accepted'],
  'older ones do not count': [{ wrong: copies(29, { id: 'w' }, { at: NOW - 7 * DAY_MS }) }, 'accepted'],
  'nor do those of the app': [{ wrong: copies(29, { id: 'w' }, { mailed: 0 }) }, 'accepted'],
  'nor another person’s': [{ wrong: copies(29, { id: 'w' }, { user_id: 'ivan' }) }, 'accepted'],
}

function nameToken(token: string, seq: number) {
  return ['name_tokens', { token, seq }] as const
}

const FULL_NAME = 'ines maria sol'
const NAMED = user('ines', { seq: 7, fullname_folded: FULL_NAME, display_name_folded: 'ines sol' })[1]

const SESSION = {
  id: 's',
  user_id: 'ines',
  secret_hash: '',
  created_at: NOW,
  last_seen_at: NOW,
  expires_at: NOW + 1,
}

const DOCUMENT = {
  id: 'd',
  ref: 'd',
  user_id: 'ines',
  document: '',
  media_type: '',
  file_key: '',
  created_at: NOW,
}

function statuses(own: string, rejected: string, ofAnother: string) {
  return [
    { id: 'd', status: own },
    { id: 'r', status: rejected },
    { id: 'o', status: ofAnother },
  ]
}

/** Cases about accounts of people, their mails and operators. */
export const PEOPLE: readonly Written[] = [
  {
    trigger: 'users_named',
    given: { other: nameToken('sol', 2) },
    write: { insert: NAMED },
    cases: {
      'an investor is found by each word of both names': [
        {},
        {
          name_tokens: [
            { token: 'ines maria sol', seq: 7 },
            { token: 'ines sol', seq: 7 },
            { token: 'maria sol', seq: 7 },
            { token: 'sol', seq: 2 },
            { token: 'sol', seq: 7 },
          ],
        },
      ],
      'an operator is not': [
        { write: { role: 'operator', operator_roles: 'auditor' } },
        { name_tokens: [{ token: 'sol', seq: 2 }] },
      ],
    },
  },
  {
    trigger: 'users_renamed',
    given: {
      ines: ['users', NAMED],
      whole: nameToken('ines maria sol', 7),
      short: nameToken('ines sol', 7),
      rest: nameToken('maria sol', 7),
      other: nameToken('sol', 2),
      last: nameToken('sol', 7),
    },
    write: { update: { fullname_folded: 'ana  sol' } },
    cases: {
      'another full name takes the place of the old one': [
        {},
        {
          name_tokens: [
            { token: 'ana  sol', seq: 7 },
            { token: 'ines sol', seq: 7 },
            { token: 'sol', seq: 2 },
            { token: 'sol', seq: 7 },
          ],
        },
      ],
      'another display name does too': [
        { write: { fullname_folded: FULL_NAME, display_name_folded: 'ana' } },
        {
          name_tokens: [
            { token: 'ana', seq: 7 },
            { token: 'ines maria sol', seq: 7 },
            { token: 'maria sol', seq: 7 },
            { token: 'sol', seq: 2 },
            { token: 'sol', seq: 7 },
          ],
        },
      ],
      'the same names change nothing': [
        { write: { fullname_folded: FULL_NAME }, whole: null },
        {
          name_tokens: [
            { token: 'ines sol', seq: 7 },
            { token: 'maria sol', seq: 7 },
            { token: 'sol', seq: 2 },
            { token: 'sol', seq: 7 },
          ],
        },
      ],
      'an operator’s names are nowhere': [
        {
          ines: { role: 'operator', operator_roles: 'auditor' },
          whole: null,
          short: null,
          rest: null,
          last: null,
        },
        { name_tokens: [{ token: 'sol', seq: 2 }] },
      ],
    },
  },
  {
    trigger: 'users_close',
    given: {
      ines: user('ines'),
      deposit: request('d', 'deposits', { status: 'approved' }),
      reversal: proposal('p', 'reversal', { request: 'd' }),
    },
    write: { update: { closed_at: NOW } },
    cases: {
      'an account stays open while the reversal of a deposit waits': [{}, 'money_left'],
      'another investor’s reversal does not matter': [{ deposit: { investor: 'ivan' } }, 'accepted'],
      'a decided reversal does not matter': [{ reversal: { status: 'rejected' } }, 'accepted'],
      'a bonus proposal does not matter': [{ reversal: { kind: 'bonus' } }, 'accepted'],
    },
  },
  {
    trigger: 'users_access',
    given: {
      otto: operator('otto', 'treasurer', DISABLED),
      factor: secondFactor('otto'),
      'key of otto': passkey('otto'),
      olga: operator('olga', 'administrator'),
      'key of olga': passkey('olga'),
      omar: operator('omar', 'administrator'),
      'factor of omar': secondFactor('omar'),
    },
    write: { update: { disabled_at: null, disabled_by: null } },
    cases: {
      'two administrators decide who comes back': [{}, 'second_operator_required'],
      'while there is one, the owner decides, and the factors are removed': [
        { omar: { operator_roles: 'auditor' } },
        {
          audit_log: [{ at: NOW, actor: 'owner', action: 'operator.enabled', subject: 'otto' }],
          second_factors: [{ user_id: 'omar' }],
          passkeys: [{ user_id: 'olga' }],
        },
      ],
    },
  },
  {
    trigger: 'users_access',
    given: {
      otto: operator('otto', 'treasurer', { access_proposal: 'first' }),
      factor: secondFactor('otto'),
      'key of otto': passkey('otto'),
      first: proposal('first', 'operator', { status: 'approved', operator: 'otto', decided_at: NOW }),
      second: proposal('second', 'operator', {
        status: 'approved',
        operator: 'otto',
        decided_at: NOW + 1,
        payload: '{"action":"roles","roles":"auditor"}',
      }),
    },
    write: { update: { operator_roles: 'auditor', access_proposal: 'second' } },
    cases: {
      'a newer decision sets the roles, and the factors stay': [{}, 'accepted'],
      'a decision as old as the current one does not': [
        { second: { decided_at: NOW } },
        'second_operator_required',
      ],
    },
  },
  {
    trigger: 'users_leave_with_their_key',
    given: {
      otto: operator('otto', 'reviewer'),
      'key of otto': reviewerKey('otto'),
      olga: operator('olga', 'reviewer'),
      'key of olga': reviewerKey('olga'),
      decision: proposal('p', 'operator', { decided_by: 'omar', decided_at: NOW + 5 }),
    },
    write: { update: { operator_roles: 'treasurer', access_proposal: 'p' } },
    cases: {
      'a reviewer who loses the role loses the key': [
        {},
        {
          audit_log: [
            {
              at: NOW + 5,
              actor: 'omar',
              action: 'reviewer_key.retired',
              subject: 'key of otto',
              detail: '{"owner":"otto"}',
            },
          ],
          reviewer_keys: [
            { user_id: 'otto', retired_by: 'omar', retired_at: NOW + 5 },
            { user_id: 'olga', retired_by: null, retired_at: null },
          ],
        },
      ],
      'a disabled one too, and the owner is not named as an operator': [
        {
          write: {
            operator_roles: 'reviewer',
            access_proposal: null,
            disabled_at: NOW + 7,
            disabled_by: 'owner',
          },
        },
        {
          audit_log: [{ at: NOW + 7, actor: 'owner' }],
          reviewer_keys: [
            { retired_by: 'otto', retired_at: NOW + 7 },
            { retired_by: null, retired_at: null },
          ],
        },
      ],
      'the last key stays': [
        { 'key of olga': { approved_at: null } },
        { audit_log: [], reviewer_keys: [{ retired_at: null }, {}] },
      ],
      'a retired key of another reviewer does not count': [
        { 'key of olga': { retired_at: NOW } },
        { audit_log: [], reviewer_keys: [{ retired_at: null }, {}] },
      ],
    },
  },
  {
    trigger: 'second_factors_operator_keeps_one',
    given: { factor: secondFactor('otto'), otto: operator('otto', 'treasurer', DISABLED), ...ADMINISTRATORS },
    write: { delete: true },
    cases: {
      'while two administrators are active, they decide about the factor of a disabled operator': [
        {},
        'two_factor_mandatory',
      ],
      'while one is active, the owner removes it': [{ 'key of omar': null }, 'accepted'],
    },
  },
  {
    trigger: 'passkeys_operator_keeps_one',
    given: { key: passkey('otto'), otto: operator('otto', 'treasurer', DISABLED), ...ADMINISTRATORS },
    write: { delete: true },
    cases: {
      'while two administrators are active, they decide about the passkey of a disabled operator': [
        {},
        'two_factor_mandatory',
      ],
      'while one is active, the owner removes it': [{ 'key of omar': null }, 'accepted'],
    },
  },
  {
    trigger: 'passkeys_operator_keeps_one',
    given: {
      key: passkey('otto'),
      otto: operator('otto', 'treasurer'),
      reset: proposal('p', 'operator', {
        status: 'approved',
        operator: 'otto',
        decided_at: NOW + 1,
        payload: '{"action":"reset_factor"}',
      }),
    },
    write: { delete: true },
    cases: {
      'a reset removes the passkey that was there': [{}, 'accepted'],
      'a passkey registered in the moment of the reset stays': [
        { reset: { decided_at: NOW } },
        'two_factor_mandatory',
      ],
      'so does a newer one': [{ reset: { decided_at: NOW - 1 } }, 'two_factor_mandatory'],
    },
  },
  {
    trigger: 'preferences_mails_off_at_first',
    given: { ines: user('ines'), ivan: user('ivan'), ...MAILS },
    write: { insert: ALL_ON },
    cases: MAILS_TURNED_OFF,
  },
  {
    trigger: 'preferences_mails_off',
    given: { preferences: ['preferences', ALL_ON], ines: user('ines'), ivan: user('ivan'), ...MAILS },
    write: { update: { changed_at: NOW + 1 } },
    cases: MAILS_TURNED_OFF,
  },
  {
    trigger: 'outbox_wanted',
    given: { ines: user('ines'), preferences: ['preferences', ALL_ON] },
    write: { insert: mail('m', 'ines@example.com', 'salesNews', NOW)[1] },
    cases: {
      'wanted news is queued': [{ preferences: { features: 0, tips: 0 } }, { outbox: [{ id: 'm' }] }],
      'unwanted news is not': [{ preferences: { sales_news: 0 } }, { outbox: [] }],
      'an unwanted feature mail is not': [
        { write: { list: 'features' }, preferences: { features: 0 } },
        { outbox: [] },
      ],
      'a wanted feature mail is': [
        { write: { list: 'features' }, preferences: { sales_news: 0, tips: 0 } },
        { outbox: [{ id: 'm' }] },
      ],
      'an unwanted tip is not': [{ write: { list: 'tips' }, preferences: { tips: 0 } }, { outbox: [] }],
      'a mail of another kind is always queued': [
        { write: { list: 'receipts' }, preferences: { sales_news: 0, features: 0, tips: 0 } },
        { outbox: [{ id: 'm' }] },
      ],
      'only the reader’s own preferences count': [
        { preferences: { user_id: 'ivan', sales_news: 0 } },
        { outbox: [{ id: 'm' }] },
      ],
    },
  },
  {
    trigger: 'activity_wanted',
    given: {
      off: ['preferences', { user_id: 'ivan', activity_log: 0, changed_at: NOW }],
      failure: ['activity', { id: 'f', user_id: 'ines', at: NOW, event: 'sign_in_failed' }],
    },
    write: { insert: { id: 'new', user_id: 'ines', at: NOW, event: 'sign_in_failed' } },
    cases: {
      'an entry is written': [{}, { activity: [{ id: 'f' }, { id: 'new' }] }],
      'nothing is written for a reader who turned the log off': [
        { off: { user_id: 'ines' } },
        { activity: [{ id: 'f' }] },
      ],
      'the thirtieth failed sign-in of a day is written': [
        { failure: copies(28, { id: 'f' }) },
        { activity: Array.from({ length: 30 }, () => ({})) },
      ],
      'the next one is not': [
        { failure: copies(29, { id: 'f' }) },
        { activity: Array.from({ length: 30 }, () => ({ event: 'sign_in_failed' })) },
      ],
      'failures of another person do not count': [
        { failure: copies(29, { id: 'f' }, { user_id: 'ivan' }) },
        { activity: Array.from({ length: 31 }, () => ({})) },
      ],
      'entries of another kind do not count': [
        { failure: copies(29, { id: 'f' }, { event: 'sign_in' }) },
        { activity: Array.from({ length: 31 }, () => ({})) },
      ],
      'failures of a day ago do not count': [
        { failure: copies(29, { id: 'f' }, { at: NOW - DAY_MS }) },
        { activity: Array.from({ length: 31 }, () => ({})) },
      ],
      'after many failures another kind of entry is written': [
        { failure: copies(29, { id: 'f' }), write: { event: 'sign_in' } },
        { activity: Array.from({ length: 31 }, () => ({})) },
      ],
    },
  },
  {
    trigger: 'proposals_start_pending',
    given: {
      roles: ['proposal_roles', { kind: 'operator', role: 'administrator' }],
      otto: operator('otto', 'treasurer'),
      ...ADMINISTRATORS,
    },
    write: { insert: proposal('p', 'operator', { operator: 'otto', payload: '{"action":"roles"}' })[1] },
    cases: {
      'an administrator proposes the roles of an operator': [{}, 'accepted'],
      'not of an investor': [
        { otto: { role: 'investor' } },
        'proposals: what is proposed about an operator says which',
      ],
    },
  },
  {
    trigger: 'proposals_of_factor_recoveries',
    given: {
      olga: operator('olga', 'reviewer'),
      recovery: [
        'factor_recoveries',
        { id: 'r', investor: 'ines', code_hash: '', asked_at: NOW, filed_at: NOW },
      ],
      earlier: proposal('earlier', 'factor_recovery', { investor: 'ines', payload: '{"recovery":"r"}' }),
    },
    write: { insert: proposal('p', 'factor_recovery', { investor: 'ines', payload: '{"recovery":"r"}' })[1] },
    cases: {
      'one proposal waits at a time': [{}, 'conflict'],
      'after a rejected one there is another': [{ earlier: { status: 'rejected' } }, 'accepted'],
      'not before the recovery was filed': [{ earlier: null, recovery: { filed_at: NOW + 1 } }, 'conflict'],
    },
  },
  {
    trigger: 'operator_invitations_begin',
    given: {},
    write: {
      insert: {
        id: 'i',
        email: 'o@example.com',
        name: '',
        roles: 'auditor',
        created_at: NOW,
        token_hash: 't',
        expires_at: NOW + 3 * DAY_MS,
      },
    },
    cases: {
      'an invitation of the owner is open for three days': [{}, 'accepted'],
      'not longer': [
        { write: { expires_at: NOW + 3 * DAY_MS + 1 } },
        'operator_invitations: one of the owner’s is open for three days',
      ],
    },
  },
  {
    trigger: 'notification_sends_limit',
    given: { sent: ['notification_sends', { seq: 1, operator: 'olga', at: NOW - DAY_MS + 1 }] },
    write: { insert: { seq: 100, operator: 'olga', at: NOW } },
    cases: {
      'twenty notifications a day are enough': [{ sent: copies(19, { seq: 2 }) }, 'too_many_notifications'],
      'the twentieth is sent': [{ sent: copies(18, { seq: 2 }) }, 'accepted'],
      'those of a day ago do not count': [{ sent: copies(19, { seq: 2 }, { at: NOW - DAY_MS }) }, 'accepted'],
    },
  },
  {
    trigger: 'referral_bonuses_due',
    given: {
      ivan: user('ivan', { referred_by: 'ines' }),
      ines: user('ines'),
      deposit: request('d', 'deposits', { investor: 'ivan', status: 'approved', amount: 10_000 }),
      amount: ['settings', { key: 'referralBonus', value: '5', proposal: 's', updated_at: NOW }],
      decision: proposal('s', 'settings', { status: 'approved', payload: '{"referralBonus":5}' }),
      terms: [
        'settings',
        { key: 'referral', value: '{"minimumDeposit":10000,"maturityDays":3}', updated_at: NOW },
      ],
      credit: transfer('d:credit', 'credit', 'd', { from_account: 'ivan:paid_in' }),
    },
    write: { insert: { ...BONUS, granted_at: null } },
    cases: {
      'a first deposit of the minimum earns a bonus that matures': [{}, 'accepted'],
      'the credit itself does not matter': [{}, 'accepted'],
      'nor one of somebody else': [{ credit: { ref: 'e', from_account: 'iris:paid_in' } }, 'accepted'],
      'after an earlier credit it does not': [
        { credit: { ref: 'e' } },
        'referrals: only the first credited deposit earns a bonus',
      ],
      'a cent less does not': [{ deposit: { amount: 9999 } }, 'referrals: deposit below the minimum'],
      'nobody sets another minimum': [
        { write: { minimum: 9999 } },
        'referrals: terms differ from the settings',
      ],
      'nor another time': [{ write: { matures_at: NOW + 1 } }, 'referrals: terms differ from the settings'],
      'without a setting the defaults count': [
        { terms: null, write: { matures_at: NOW + 30 * DAY_MS } },
        'accepted',
      ],
      'no bonus starts as taken back': [{ write: { reversed_at: NOW } }, 'referrals: a bonus starts due'],
      'nor as lapsed': [{ write: { lapsed_at: NOW } }, 'referrals: a bonus starts due'],
    },
  },
  {
    trigger: 'referral_bonuses_counted',
    given: {
      credit: event('d', 'approved', { investor: 'ivan', reference_key: 'x', amount: 100 }),
      other: event('e', 'approved', { reference_key: 'y', amount: 45, at: NOW - DAY_MS + 1 }),
      limit: ['settings', { key: 'twoPersonLimit', value: '50', updated_at: NOW }],
      earlier: [
        'referral_bonuses',
        { ...BONUS, invitee: 'iris', id: 'c', deposit: 'none', due_at: NOW - DAY_MS + 1, granted_at: null },
      ],
      earning: event('g', 'approved', { investor: 'iris', reference_key: 'z', amount: 1 }),
      older: ['decision_totals', { queue: 'deposits', operator: 'olga', hour: HOUR - 24, amount: 40 }],
      total: ['decision_totals', { queue: 'deposits', operator: 'olga', hour: HOUR, amount: 55 }],
      house: ['decision_totals', { queue: 'deposits', operator: 'house', hour: HOUR, amount: 95 }],
      ceilings: ['settings', { key: 'dailyCeilings', value: '{"creditsAlone":100}', updated_at: NOW }],
    },
    write: { insert: { ...BONUS, granted_at: null } },
    cases: {
      'a bonus counts for who credited its deposit': [{}, COUNTED],
      'not above the limit for one investor': [{ other: { amount: 46 } }, 'second_operator_required'],
      'credits of a day ago do not count': [{ other: { amount: 46, at: NOW - DAY_MS } }, COUNTED],
      'nor those of another operator': [{ other: { amount: 46, actor: 'omar' } }, COUNTED],
      'nor those to another investor': [{ other: { amount: 46, investor: 'iris' } }, COUNTED],
      'not above the ceiling of the day': [{ older: { amount: 41 } }, 'second_operator_required'],
      'hours before do not count': [
        { older: { amount: 41, hour: HOUR - 25 } },
        { decision_totals: [{ amount: 95 }, { amount: 41 }, { amount: 60 }] },
      ],
      'nor payouts': [
        { older: { amount: 41, queue: 'withdrawals' } },
        { decision_totals: [{ amount: 95 }, { amount: 60 }, { amount: 41 }] },
      ],
      'bonuses before count too': [
        { ...EARLIER, other: { amount: 40 }, limit: { value: '49' } },
        'second_operator_required',
      ],
      'but not those of a day ago': [
        {
          ...EARLIER,
          earlier: { deposit: 'g', due_at: NOW - DAY_MS },
          other: { amount: 40 },
          limit: { value: '49' },
        },
        COUNTED,
      ],
      'credits of another operator in a newer hour neither': [
        { older: { amount: 1, operator: 'omar', hour: HOUR + 1 } },
        { decision_totals: [{ amount: 95 }, { amount: 60 }, { amount: 1 }] },
      ],
      'payouts of a newer hour neither': [
        { older: { amount: 1, queue: 'withdrawals', hour: HOUR + 1 } },
        { decision_totals: [{ amount: 95 }, { amount: 60 }, { amount: 1 }] },
      ],
      'two operators pass both': [
        { credit: { second_operator: 'omar' }, older: { amount: 41 }, other: { amount: 46 } },
        { decision_totals: [{ amount: 95 }, { amount: 41 }, { amount: 55 }] },
      ],
      'and the chain too': [
        {
          credit: { actor: 'system' },
          older: { operator: 'system', amount: 101 },
          other: { actor: 'system', amount: 46 },
        },
        { decision_totals: [{ amount: 95 }, { amount: 55 }, { operator: 'system', amount: 101 }] },
      ],
      'only its own deposit counts': [
        { credit: { request: 'f' } },
        { decision_totals: [{ amount: 95 }, { amount: 40 }, { amount: 55 }] },
      ],
      'and only its credit': [
        { credit: { status: 'reversed' } },
        { decision_totals: [{ amount: 95 }, { amount: 40 }, { amount: 55 }] },
      ],
      'without a setting the limits are larger': [
        { limit: null, ceilings: null, other: { amount: 46 }, older: { amount: 41 } },
        { decision_totals: [{ amount: 95 }, { amount: 41 }, { amount: 60 }] },
      ],
    },
  },
  {
    trigger: 'referral_bonuses_decided_once',
    given: {
      bonus: ['referral_bonuses', BONUS],
      reversal: event('d', 'reversed'),
    },
    write: { update: { reversed_at: NOW } },
    cases: {
      'a bonus goes with its deposit': [{}, 'accepted'],
      'not with another one': [
        { reversal: { request: 'e' } },
        'referrals: only a reversed deposit takes a bonus back',
      ],
      'nor while it stands': [
        { reversal: { status: 'approved' } },
        'referrals: only a reversed deposit takes a bonus back',
      ],
      'nobody grants it at another time then': [{ write: { granted_at: NOW - 1 } }, 'already_decided'],
      'nor twice': [{ bonus: { reversed_at: NOW } }, 'already_decided'],
      'nobody grants a bonus again': [{ write: { reversed_at: null } }, 'already_decided'],
      'what it demands stays': [{ write: { minimum: 0 } }, 'referrals: what fell due never changes'],
      'and its time': [{ write: { matures_at: NOW } }, 'referrals: what fell due never changes'],
    },
  },
  {
    trigger: 'referral_bonuses_granted',
    given: {
      bonus: ['referral_bonuses', { ...BONUS, granted_at: null }],
      granted: ['referral_bonuses', { ...BONUS, invitee: 'i', id: 'g', deposit: 'e' }],
      ivan: user('ivan', { kyc_status: 'approved' }),
      ines: user('ines'),
      deposit: request('d', 'deposits', { status: 'approved' }),
      paidIn: account('ivan:paid_in', -10_100),
      paidOut: account('ivan:paid_out', 40),
      held: account('ivan:held', 60),
      other: account('ivan:available', 10_100),
    },
    write: { update: { granted_at: NOW + 3 * DAY_MS } },
    cases: {
      'the tenth bonus is granted': [{ granted: copies(8, { invitee: 'i', id: 'g' }) }, 'accepted'],
      'the eleventh is not': [{ granted: copies(9, { invitee: 'i', id: 'g' }) }, 'conflict'],
      'those that were taken back do not count': [
        { granted: copies(9, { invitee: 'i', id: 'g' }, { reversed_at: NOW }) },
        'accepted',
      ],
      'nor those that are due': [
        { granted: copies(9, { invitee: 'i', id: 'g' }, { granted_at: null }) },
        'accepted',
      ],
      'nor those of another referrer': [
        { granted: copies(9, { invitee: 'i', id: 'g' }, { referrer: 'iris' }) },
        'accepted',
      ],
      'not a moment before its time': [
        { write: { granted_at: NOW + 3 * DAY_MS - 1 } },
        'referrals: a bonus matures first',
      ],
      'a bonus that only lapses need not have matured': [
        { write: { granted_at: null, lapsed_at: NOW }, bonus: { matures_at: NOW } },
        'accepted',
      ],
      'a lapsed one is refused elsewhere': [
        { bonus: { lapsed_at: NOW }, write: { granted_at: NOW, lapsed_at: null } },
        'accepted',
      ],
      'and one that was granted': [
        { bonus: { granted_at: NOW }, write: { granted_at: NOW + 1 } },
        'accepted',
      ],
      'nor to somebody who is not identified': [{ ivan: { kyc_status: 'pending' } }, 'kyc_required'],
      'nor if only another person is': [{ ivan: { id: 'i' } }, 'kyc_required'],
      'nor to a frozen referrer': [{ ines: { frozen_at: NOW } }, 'account_frozen'],
      'a frozen invited person does not matter': [{ ivan: { frozen_at: NOW } }, 'accepted'],
      'nor for a reversed deposit': [{ deposit: { status: 'reversed' } }, 'conflict'],
      'nor for another one': [{ deposit: { id: 'f' } }, 'conflict'],
      'nor if a cent of the minimum was paid out': [{ paidOut: { balance: 41 } }, 'conflict'],
      'or is about to be': [{ held: { balance: 61 } }, 'conflict'],
      'nor if somebody else paid it in': [{ paidIn: { id: 'iris:paid_in', owner: 'iris' } }, 'conflict'],
    },
  },
  {
    trigger: 'request_events_take_bonus_back',
    given: {
      bonus: ['referral_bonuses', BONUS],
      other: [
        'referral_bonuses',
        { ...BONUS, invitee: 'jo', id: 'g', referrer: 'iris', deposit: 'e', reversed_at: NOW },
      ],
      ines: user('ines'),
      available: account('ines:available', 3),
      others: account('iris:available', 0),
    },
    write: { insert: event('d', 'reversed')[1] },
    cases: {
      'a bonus goes with its deposit, and what was spent becomes a debt': [
        {},
        {
          referral_bonuses: [{ id: 'b', reversed_at: NOW }, { id: 'g' }],
          transfers: [
            {
              id: 'b:overdraw',
              from_account: 'ines:owed',
              to_account: 'ines:available',
              amount: 2,
              ref: 'b',
              actor: 'olga',
            },
            {
              id: 'b:reverse_bonus',
              from_account: 'ines:available',
              to_account: 'ines:granted',
              amount: 5,
              ref: 'b',
              reverses: 'b:bonus',
              actor: 'olga',
            },
          ],
        },
      ],
      'without a debt if all of it is there': [
        { available: { balance: 5 } },
        {
          referral_bonuses: [{ id: 'b', reversed_at: NOW }, { id: 'g' }],
          transfers: [{ id: 'b:reverse_bonus', amount: 5 }],
        },
      ],
      'a bonus that was not granted is left to lapse': [{ bonus: { granted_at: null } }, 'accepted'],
      'a closed account keeps it': [{ ines: { closed_at: NOW } }, 'accepted'],
      'another deposit changes nothing': [{ write: { request: 'x' } }, 'accepted'],
      'nor does another step': [{ write: { status: 'approved' } }, 'accepted'],
    },
  },
  {
    trigger: 'request_events_take_bonus_back',
    given: {
      bonus: ['referral_bonuses', BONUS],
      ines: user('ines'),
      available: account('ines:available', 5),
      former: transfer('b:reverse_bonus', 'reverse_bonus', 'x'),
    },
    write: { insert: event('d', 'reversed')[1], or: 'IGNORE' },
    cases: { 'a step that is skipped is noticed': [{}, 'referrals: the bonus was not taken back'] },
  },
  {
    trigger: 'transfers_bonus_ceiling',
    given: {
      ceilings: ['settings', { key: 'dailyCeilings', value: '{"credits":1000}', updated_at: NOW }],
      total: ['decision_totals', { queue: 'deposits', operator: 'house', hour: HOUR - 24, amount: 900 }],
    },
    write: { insert: transfer('p:bonus', 'bonus', 'p')[1] },
    cases: {
      'a bonus up to the ceiling of the day is granted': [{}, 'accepted'],
      'not above it': [{ total: { amount: 901 } }, 'daily_credit_ceiling'],
      'hours before do not count': [{ total: { amount: 901, hour: HOUR - 25 } }, 'accepted'],
      'nor payouts': [{ total: { amount: 901, queue: 'withdrawals' } }, 'accepted'],
      'nor what one operator credited': [{ total: { amount: 901, operator: 'olga' } }, 'accepted'],
      'a credit counts elsewhere': [{ total: { amount: 901 }, write: { code: 'credit' } }, 'accepted'],
    },
  },
  {
    trigger: 'transfers_bonus_counted',
    given: {
      total: ['decision_totals', { queue: 'deposits', operator: 'house', hour: HOUR, amount: 7 }],
    },
    write: { insert: transfer('p:bonus', 'bonus', 'p')[1] },
    cases: {
      'a bonus counts as credited': [{}, { decision_totals: [{ amount: 107 }] }],
      'a credit counts elsewhere': [{ write: { code: 'credit' } }, { decision_totals: [{ amount: 7 }] }],
      'it opens its hour': [
        { total: { hour: HOUR - 1 } },
        {
          decision_totals: [{ amount: 7 }, { queue: 'deposits', operator: 'house', hour: HOUR, amount: 100 }],
        },
      ],
      'beside that of payouts': [
        { total: { queue: 'withdrawals' } },
        { decision_totals: [{ queue: 'deposits', amount: 100 }, { amount: 7 }] },
      ],
      'and that of an operator': [
        { total: { operator: 'olga' } },
        {
          decision_totals: [
            { operator: 'house', amount: 100 },
            { operator: 'olga', amount: 7 },
          ],
        },
      ],
    },
  },
  {
    trigger: 'case_assignments_end_with_events',
    given: ASSIGNED,
    write: { insert: event('d', 'approved')[1] },
    cases: { 'a decided request is nobody’s any more': [{}, { case_assignments: [{ case_id: 'e' }] }] },
  },
  {
    trigger: 'case_assignments_end_with_first_approvals',
    given: ASSIGNED,
    write: {
      insert: { request: 'd', operator: 'olga', reference: '', reference_key: '', amount: 1, at: NOW },
    },
    cases: { 'nobody has a request that was approved once': [{}, { case_assignments: [{ case_id: 'e' }] }] },
  },
  {
    trigger: 'kyc_decided_once',
    given: {
      document: ['kyc_submissions', { ...DOCUMENT, status: 'approved', decided_by: 'olga', decided_at: NOW }],
      ines: user('ines', { kyc_status: 'approved' }),
    },
    write: { update: { status: 'pending', decided_by: null, decided_at: null } },
    cases: {
      'an approval goes back to review, without a decision': [{}, 'accepted'],
      'a rejection does not': [{ document: { status: 'rejected' } }, 'already_decided'],
      'nor is an approval rejected': [{ write: { status: 'rejected' } }, 'already_decided'],
      'nor does it keep who decided': [{ write: { decided_by: 'olga' } }, 'already_decided'],
      'nor when it was decided': [{ write: { decided_at: NOW } }, 'already_decided'],
    },
  },
  {
    trigger: 'users_renamed_reviewed',
    given: {
      ines: user('ines', { kyc_status: 'approved', fullname_folded: 'ines sol' }),
      document: ['kyc_submissions', { ...DOCUMENT, status: 'approved', decided_by: 'olga', decided_at: NOW }],
      rejected: ['kyc_submissions', { ...DOCUMENT, id: 'r', ref: 'r', file_key: 'r', status: 'rejected' }],
      ofAnother: [
        'kyc_submissions',
        { ...DOCUMENT, id: 'o', ref: 'o', file_key: 'o', user_id: 'ivan', status: 'approved' },
      ],
    },
    write: { update: { fullname_folded: 'eve smith' } },
    cases: {
      'an identity that was approved for another name is reviewed again': [
        {},
        { kyc_submissions: statuses('pending', 'rejected', 'approved') },
      ],
      'the same name changes nothing': [
        { write: { fullname_folded: 'ines sol' } },
        { kyc_submissions: statuses('approved', 'rejected', 'approved') },
      ],
      'nor does the name of a closed account': [
        { ines: { closed_at: NOW } },
        { kyc_submissions: statuses('approved', 'rejected', 'approved') },
      ],
    },
  },
  {
    trigger: 'case_assignments_end_with_documents',
    given: {
      document: ['kyc_submissions', DOCUMENT],
      ...ASSIGNED,
    },
    write: { update: { status: 'approved' } },
    cases: { 'a decided document is nobody’s any more': [{}, { case_assignments: [{ case_id: 'e' }] }] },
  },
  {
    trigger: 'second_factors_limit_codes',
    given: {
      factor: ['second_factors', { user_id: 'ines', secret_sealed: '', created_at: 0, enabled_at: 1 }],
      wrong: wrongCode(0),
    },
    write: { update: { last_step: NOW / STEP_MS } },
    cases: {
      'wrong mailed codes do not count against the app': [
        { wrong: copies(30, { id: 'w' }, { mailed: 1 }) },
        'accepted',
      ],
      'wrong codes of the app do': [{ wrong: copies(29, { id: 'w' }) }, 'too_many_codes'],
    },
  },
  {
    trigger: 'withdrawal_codes_limit',
    given: {
      code: [
        'withdrawal_codes',
        {
          id: 'c',
          investor: 'ines',
          amount: 1,
          destination_hash: '',
          code_hash: '',
          created_at: NOW,
          expires_at: NOW + 1,
        },
      ],
      wrong: wrongCode(1),
    },
    write: { update: { used_at: NOW } },
    cases: LIMITED_MAILED_CODES,
  },
  {
    trigger: 'factor_recoveries_filed',
    given: {
      recovery: [
        'factor_recoveries',
        { id: 'r', investor: 'ines', code_hash: '', asked_at: NOW - 1, expires_at: NOW + 1 },
      ],
      owner: user('ines'),
      passkey: passkey('ines'),
      wrong: wrongCode(1),
    },
    write: { update: { filed_at: NOW, expires_at: null } },
    cases: Object.fromEntries(
      Object.entries(LIMITED_MAILED_CODES).map(([shows, [given, answer]]) => [
        shows,
        [given, answer === 'too_many_codes' ? 'invalid_code' : answer],
      ]),
    ),
  },
  {
    trigger: 'locked_opens_no_session',
    given: { ines: user('ines', { locked_at: NOW }), ivan: user('ivan') },
    write: { insert: SESSION },
    cases: {
      'nobody signs in to a locked account': [{}, 'account_locked'],
      'another account that is locked does not matter': [
        { ines: { locked_at: null }, ivan: { locked_at: NOW } },
        'accepted',
      ],
    },
  },
  {
    trigger: 'registrations_limit',
    given: { earlier: ['registrations', registration('r', { created_at: NOW - DAY_MS + 1 })] },
    write: { insert: registration('new') },
    cases: {
      'a fourth one from a network on one day is refused': [
        { earlier: copies(2, { id: 'r' }) },
        'too_many_requests',
      ],
      'a third is not': [{ earlier: copies(1, { id: 'r' }) }, 'accepted'],
      'older ones of the network do not count': [
        { earlier: copies(2, { id: 'r' }, { created_at: NOW - DAY_MS }) },
        'accepted',
      ],
      'nor those for another address': [
        { earlier: copies(10, { id: 'r' }, { email: 'ivan@example.com' }) },
        'accepted',
      ],
      'an eleventh one for an address is refused': [
        { earlier: copies(9, { id: 'r' }, { network: 'm' }) },
        'too_many_requests',
      ],
      'a tenth is not': [{ earlier: copies(8, { id: 'r' }, { network: 'm' }) }, 'accepted'],
      'older ones for the address do not count': [
        { earlier: copies(9, { id: 'r' }, { network: 'm', created_at: NOW - DAY_MS }) },
        'accepted',
      ],
    },
  },
  {
    trigger: 'locked_resumes_no_session',
    given: {
      session: ['sessions', { ...SESSION, ended_at: NOW - 1 }],
      ines: user('ines', { locked_at: NOW }),
      ivan: user('ivan'),
    },
    write: { update: { ended_at: null } },
    cases: {
      'no session of a locked account goes on': [{}, 'account_locked'],
      'one may end': [{ write: { ended_at: NOW } }, 'accepted'],
      'another account that is locked does not matter': [
        { ines: { locked_at: null }, ivan: { locked_at: NOW } },
        'accepted',
      ],
    },
  },
  {
    trigger: 'registrations_keep',
    given: { registration: ['registrations', registration('r')] },
    write: { update: { password_hash: 'x' } },
    cases: { 'what was registered never changes': [{}, 'registrations: immutable'] },
  },
  {
    trigger: 'investor_notes_written',
    given: { ines: user('ines'), olga: operator('olga', 'reviewer administrator') },
    write: {
      insert: { seq: 7, id: 'n', investor: 'ines', author: 'olga', at: NOW, text: 'Odd', confidential: 1 },
    },
    cases: {
      'an administrator writes a confidential note': [{}, 'accepted'],
      'a reviewer does not': [{ olga: { operator_roles: 'reviewer' } }, 'forbidden'],
      'but an ordinary one': [
        { olga: { operator_roles: 'reviewer' }, write: { confidential: 0 } },
        'accepted',
      ],
    },
  },
  {
    trigger: 'silent_freezes_begun',
    given: {
      ines: user('ines'),
      olga: operator('olga', 'administrator'),
      other: silentFreeze('other', 'ivan', 1),
    },
    write: {
      insert: { seq: 7, id: 'f', investor: 'ines', reason: 'A report', begun_by: 'olga', begun_at: NOW },
    },
    cases: {
      'an administrator begins one': [{}, 'accepted'],
      'a second one, while one stands': [{ other: { investor: 'ines' } }, 'conflict'],
      'again after its end': [{ other: { investor: 'ines', ended_by: 'olga', ended_at: NOW } }, 'accepted'],
      'one under the same id': [{ other: { id: 'f' } }, 'conflict'],
      'one under the same number': [{ other: { seq: 7 } }, 'conflict'],
      'one that has ended already': [{ write: { ended_by: 'olga', ended_at: NOW } }, 'conflict'],
      'by another role': [{ olga: { operator_roles: 'treasurer' } }, 'forbidden'],
      'by a disabled operator': [{ olga: { disabled_at: NOW } }, 'forbidden'],
      'by somebody else': [{ write: { begun_by: 'ines' } }, 'forbidden'],
      'of an operator': [{ ines: { role: 'operator' } }, 'forbidden'],
      'of an erased person': [{ ines: { erased_at: NOW } }, 'forbidden'],
      'of somebody else': [{ write: { investor: 'nobody' } }, 'forbidden'],
    },
  },
  {
    trigger: 'silent_freezes_ended',
    given: { freeze: silentFreeze('f', 'ines', 7), olga: operator('olga', 'administrator') },
    write: { update: { ended_by: 'olga', ended_at: NOW } },
    cases: {
      'an administrator ends it': [{}, 'accepted'],
      once: [{ freeze: { ended_by: 'olga', ended_at: NOW } }, 'conflict'],
      'not without a time': [{ write: { ended_at: null, ended_by: null } }, 'conflict'],
      'another role does not': [{ olga: { operator_roles: 'auditor' } }, 'forbidden'],
      'nobody else does': [{ write: { ended_by: 'ines' } }, 'forbidden'],
      ...Object.fromEntries(
        Object.entries({
          seq: 8,
          id: 'g',
          investor: 'ivan',
          reason: '-',
          begun_by: 'omar',
          begun_at: NOW - 1,
        }).map(([column, value]) => [
          `its ${column} never changes`,
          [{ write: { [column]: value } }, 'silent_freezes: immutable columns'],
        ]),
      ),
    },
  },
  {
    trigger: 'silent_freezes_keep',
    given: {
      freeze: silentFreeze('f', 'ines', 7, { ended_by: 'olga', ended_at: NOW }),
      ines: user('ines', { erased_at: NOW }),
    },
    write: { delete: true },
    cases: {
      'one goes with the person': [{}, 'accepted'],
      'not before': [{ ines: { erased_at: null } }, 'silent_freezes: one goes with the person it is about'],
      'not while it stands': [
        { freeze: { ended_by: null, ended_at: null } },
        'silent_freezes: one goes with the person it is about',
      ],
    },
  },
  {
    trigger: 'users_erase',
    given: {
      ines: user('ines', { closed_at: NOW }),
      freeze: silentFreeze('f', 'ines', 7, { ended_by: 'olga', ended_at: NOW }),
    },
    write: { update: { erased_at: NOW } },
    cases: {
      'a person is erased after a silent freeze': [{}, 'accepted'],
      'not while it stands': [{ freeze: { ended_by: null, ended_at: null } }, 'account_frozen'],
      'one of somebody else does not matter': [
        { freeze: { investor: 'ivan', ended_by: null, ended_at: null } },
        'accepted',
      ],
    },
  },
]
