import { Share2 } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import {
  getReferralTerms,
  listReferrals,
  type Referral,
  type ReferralTerms,
} from '../../../contract/money/referrals.ts'
import { Button } from '../../../design/Button.tsx'
import { CopyButton } from '../../../design/CopyButton.tsx'
import { joinClasses } from '../../../design/classes.ts'
import { TableDate } from '../../../design/DateTime.tsx'
import { withErrorBoundary } from '../../../design/ErrorBoundary.tsx'
import { Money } from '../../../design/Money.tsx'
import { LoadFailure } from '../../../design/Notice.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Pagination, Table } from '../../../design/Table.tsx'
import { site } from '../../../site.ts'
import { call } from '../../lib/api.ts'
import { usePages } from '../../lib/pages.ts'
import { useResource } from '../../lib/resource.ts'
import styles from './ReferralProgram.module.css'

export const ReferralProgram = withErrorBoundary(Screen, '/dashboard/overview')

function Screen() {
  const terms = useResource('referral terms', () => call(getReferralTerms))
  if (terms.state === 'failed') return <LoadFailure msg={terms.msg} onRetry={terms.reload} />
  const loaded = terms.state === 'ready' ? terms.data : null
  return (
    <div className={styles.screen}>
      <Panel title="Your referral link">
        <Link terms={loaded} />
      </Panel>
      <Guide terms={loaded} />
      <WhoJoined mayEarn={loaded !== null && canEarn(loaded)} />
    </div>
  )
}

/** An invisible placeholder of the usual size while loading, to avoid a layout shift. */
const PLACEHOLDER: ReferralTerms = {
  referralLink: `${site.origin}/sign-up?ref=a1b2c3d4e5`,
  bonus: 0,
  minimumDeposit: 0,
  maturityDays: 0,
  most: 0,
  granted: 0,
  earned: 0,
}

function Link({ terms }: { terms: ReferralTerms | null }) {
  const { referralLink } = terms ?? PLACEHOLDER
  const unseen = terms === null && styles.unseen
  return (
    <>
      <div className={joinClasses(styles.link, unseen)} aria-busy={terms === null}>
        <code translate="no">{referralLink}</code>
        <div className={styles.actions}>
          <CopyButton text={referralLink} what="referral link" size="medium" />
          <ShareButton link={referralLink} />
        </div>
      </div>
      <div className={joinClasses(styles.terms, unseen)}>
        <Bonus terms={terms ?? PLACEHOLDER} />
      </div>
    </>
  )
}

function Bonus({ terms }: { terms: ReferralTerms }) {
  const { bonus, minimumDeposit, maturityDays, most, granted, earned } = terms
  return (
    <>
      {bonus > 0 && !canEarn(terms) ? (
        <p>
          <strong>You have earned the bonus for {most} people, which is the maximum.</strong> Your link still
          works, but earns no more bonuses.
        </p>
      ) : bonus > 0 ? (
        <p>
          <strong>
            <Money value={bonus} isPublic />
          </strong>{' '}
          is added to your balance for each person who joins with your link, verifies their identity and makes
          a first deposit of at least <Money value={minimumDeposit} isPublic />, for {most} people at most. It
          is added {formatDays(maturityDays)} after that deposit, if the person still has the money with us.
          If the deposit is reversed later, the bonus is taken back.
        </p>
      ) : (
        <p>
          <strong>There is no referral bonus at present.</strong> Your link works, but pays nothing.
        </p>
      )}
      {granted > 0 && (
        <p>
          So far <Money value={earned} /> for{' '}
          <span>{granted === 1 ? 'one person' : `${granted} people`}</span>.
        </p>
      )}
      <p className="soft">Investors can lose all their money. Tell people so when you send them the link.</p>
    </>
  )
}

function WhoJoined({ mayEarn }: { mayEarn: boolean }) {
  const { data, reload, ...paging } = usePages(listReferrals)
  return (
    <Table
      caption="Who joined with your link"
      captionShown
      columns={[
        { key: 'who', header: 'Initials', cell: ({ initials }: Referral) => initials },
        { key: 'joined', header: 'Joined', cell: ({ joinedAt }) => <TableDate at={joinedAt} show="date" /> },
        {
          key: 'bonus',
          header: 'Bonus',
          align: 'end',
          cell: ({ bonus }) => (bonus === null ? mayEarn ? 'None so far' : 'None' : <Money value={bonus} />),
        },
      ]}
      data={data}
      rowKey={({ _id }) => _id}
      emptyText="Nobody has joined with your link yet"
      onRetry={reload}
      skeletonRows={2}
      footer={<Pagination {...paging} />}
    />
  )
}

/** Opens the device's share sheet, if it has one. */
function ShareButton({ link }: { link: string }) {
  const [canShare, setCanShare] = useState(false)
  useEffect(() => setCanShare(typeof navigator.share === 'function'), [])
  if (!canShare) return null
  // The share is rejected if the visitor closes the sheet.
  const openShareSheet = () => void navigator.share({ title: site.brand, url: link }).catch(() => {})
  return (
    <Button onClick={openShareSheet} icon={<Share2 aria-hidden="true" size={16} />}>
      Share
    </Button>
  )
}

function Guide({ terms }: { terms: ReferralTerms | null }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className={styles.heading}>
        How it works
      </h2>
      <ol className={styles.steps}>
        <li>
          <h3>Send invitation</h3>
          <p>Copy your link and send it to somebody you know.</p>
        </li>
        <li>
          <h3>Registration</h3>
          <p>They open an account with it. You see only their initials and the date they joined.</p>
        </li>
        <li>
          <h3>Get referral bonus</h3>
          <p>
            {terms === null || canEarn(terms)
              ? 'When their identity is verified and their first deposit has stayed with us long enough, we add the bonus to your balance. You can withdraw it.'
              : terms.bonus > 0
                ? 'You have earned the maximum.'
                : 'There is none at present. If that changes, it counts for first deposits from then on.'}
          </p>
        </li>
      </ol>
    </section>
  )
}

function formatDays(days: number): string {
  return days === 1 ? 'one day' : `${days} days`
}

function canEarn({ bonus, granted, most }: ReferralTerms): boolean {
  return bonus > 0 && granted < most
}
