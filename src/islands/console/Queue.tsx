import type { ComponentType } from 'react'
import { QueueScreen } from './cases/QueueScreen.tsx'
import { deposits } from './deposits/queue.tsx'
import { kyc } from './kyc/queue.tsx'
import { messages } from './messages/queue.tsx'
import { proposals } from './proposals/queue.tsx'
import { wallets } from './wallets/queue.tsx'
import { withdrawals } from './withdrawals/queue.tsx'

/** Every queue of the console. A new one is a record of its own and a line here. */
const QUEUES = {
  deposits: () => <QueueScreen kind={deposits} />,
  withdrawals: () => <QueueScreen kind={withdrawals} />,
  kyc: () => <QueueScreen kind={kyc} />,
  messages: () => <QueueScreen kind={messages} />,
  proposals: () => <QueueScreen kind={proposals} />,
  wallets: () => <QueueScreen kind={wallets} />,
} satisfies Record<string, ComponentType>

/** The screen of one queue. Throws for an unknown name, which fails the build of its page. */
export function Queue({ name }: { name: keyof typeof QUEUES }) {
  if (!Object.hasOwn(QUEUES, name)) throw new Error(`There is no queue “${name}”`)
  const Screen = QUEUES[name]
  return <Screen />
}
