import { copies, NOW, type Written } from './situation.ts'

function claim(key: string, row = {}) {
  return ['idempotency', { user_id: 'ines', key, state: 'running', claim: 'c', at: NOW, ...row }] as const
}

const [, ANSWERED] = claim('k', { state: 'done', fingerprint: 'f', status: 201, body: '{}' })

/** Cases about idempotency keys. */
export const PLATFORM: readonly Written[] = [
  {
    trigger: 'idempotency_few_running',
    given: { running: claim('a') },
    write: { insert: claim('new')[1] },
    cases: {
      'twenty requests of an account run at once': [{ running: copies(18, { key: 'a' }) }, 'accepted'],
      'not a twenty-first': [{ running: copies(19, { key: 'a' }) }, 'too_many_requests'],
      'what was answered does not count': [
        { running: copies(19, { key: 'a' }, { state: 'done' }) },
        'accepted',
      ],
      'nor what another account asked': [
        { running: copies(19, { key: 'a' }, { user_id: 'ivan' }) },
        'accepted',
      ],
      'an answer may come while twenty run': [
        {
          running: copies(19, { key: 'a' }),
          write: { key: 'a', state: 'done', fingerprint: 'f', status: 201, body: '{}' },
        },
        'UNIQUE constraint failed: idempotency.user_id, idempotency.key',
      ],
      'a key that is tried again is no further one': [
        { running: copies(19, { key: 'a' }), write: { key: 'a' } },
        'UNIQUE constraint failed: idempotency.user_id, idempotency.key',
      ],
    },
  },
  {
    trigger: 'idempotency_one_winner',
    given: { running: claim('k') },
    write: { insert: ANSWERED },
    cases: {
      'the run that holds the key answers': [
        {},
        'UNIQUE constraint failed: idempotency.user_id, idempotency.key',
      ],
      'not one that lost it to another': [{ running: { claim: 'd' } }, 'idempotency_in_progress'],
      'not after a refusal of the one that took it': [{ running: null }, 'idempotency_in_progress'],
      'not a second time': [{ running: { state: 'done' } }, 'idempotency_in_progress'],
      'not with the claim of another key': [{ running: { key: 'l' } }, 'idempotency_in_progress'],
      'not with the claim of another account': [{ running: { user_id: 'ivan' } }, 'idempotency_in_progress'],
      'a run claims its key without one': [
        { running: null, write: { state: 'running', fingerprint: null, status: null, body: null } },
        'accepted',
      ],
    },
  },
]
