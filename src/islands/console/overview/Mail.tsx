import { MOST_MAILS, type OperatorHealth } from '../../../contract/console/health.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'

/** Mails on their way: how many, since when, and what keeps them. Undefined while it loads. */
export function Mail({ mail }: { mail: OperatorHealth['mail'] | undefined }) {
  return (
    <Panel title="Mail">
      {mail === undefined ? (
        <Skeleton width="full" height="block" />
      ) : (
        <Facts
          facts={[
            { label: 'Waiting', value: counted(mail.waiting) },
            { label: 'The oldest since', value: mail.oldest ? <DateTime at={mail.oldest} /> : 'None waits' },
            {
              label: 'Failed and to be tried again',
              value:
                mail.failing.length === 0
                  ? 'None'
                  : mail.failing.map(({ error, count }) => `${counted(count)}: ${error}`).join('; '),
            },
            { label: 'Carried by something', value: mail.carried ? 'Yes' : 'No' },
          ]}
        />
      )}
    </Panel>
  )
}

function counted(count: number): string {
  return count >= MOST_MAILS ? `${MOST_MAILS.toLocaleString('en-US')} or more` : count.toLocaleString('en-US')
}
