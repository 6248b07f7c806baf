import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { ButtonLink } from '../../design/Button.tsx'
import { Money } from '../../design/Money.tsx'
import type { KycState } from '../identity/kyc/kycState.ts'
import styles from './FirstSteps.module.css'
import type { Progress } from './figures.ts'

interface FirstStepsProps {
  progress: Progress
  /** USD. */
  pendingDeposits: number
}

/** Shown until the account has had money. The button of the next step that one can take is the only primary one of the screen. */
export function FirstSteps({ progress: { kyc, unpaid }, pendingDeposits }: FirstStepsProps) {
  const state = kyc?.state ?? 'missing'
  const next =
    state === 'missing' || state === 'rejected'
      ? 'identity'
      : state === 'approved' && (pendingDeposits === 0 || unpaid > 0)
        ? 'deposit'
        : 'invest'
  return (
    <section className={styles.frame} aria-labelledby="first-steps">
      <h2 id="first-steps" className={styles.heading}>
        First steps
      </h2>
      <ol className={styles.steps}>
        <Step title="Register" done>
          Your account is open and your e-mail address is confirmed.
        </Step>
        <Identity state={state} isNext={next === 'identity'} />
        {unpaid > 0 ? (
          <Step
            title="Deposit"
            action={
              <StepLink href="/dashboard/deposit" isNext={next === 'deposit'}>
                See how to pay
              </StepLink>
            }
          >
            <Money value={unpaid} /> awaits your payment.
            {pendingDeposits > unpaid && (
              <span>
                {' '}
                <Money value={pendingDeposits - unpaid} /> is being checked.
              </span>
            )}
          </Step>
        ) : pendingDeposits > 0 ? (
          <Step
            title="Deposit"
            action={<StepLink href="/dashboard/transaction-history">Transaction History</StepLink>}
          >
            <Money value={pendingDeposits} /> is being checked. It counts once it is credited.
          </Step>
        ) : (
          <Step
            title="Deposit"
            action={
              <StepLink href="/dashboard/deposit" isNext={next === 'deposit'}>
                Make a deposit
              </StepLink>
            }
          >
            In bitcoin, ethereum, USDT or USDC, once your identity is verified. Withdrawing never asks for a
            payment.
          </Step>
        )}
        <Step
          title="Invest"
          action={
            <StepLink href="/dashboard/strategies" isNext={next === 'invest'}>
              Compare strategies
            </StepLink>
          }
        >
          Choose a strategy and an amount. You can compare them all before you deposit.
        </Step>
      </ol>
    </section>
  )
}

function Identity({ state, isNext }: { state: KycState['state']; isNext: boolean }) {
  const title = 'Verify your identity'
  switch (state) {
    case 'approved':
      return (
        <Step title={title} done>
          Your identity is verified: deposits and withdrawals are open to you.
        </Step>
      )
    case 'pending':
      return (
        <Step title={title} action={<StepLink href="/dashboard/kyc">See what you sent</StepLink>}>
          We are reviewing your document. You have nothing to do now.
        </Step>
      )
    case 'rejected':
      return (
        <Step
          title={title}
          action={
            <StepLink href="/dashboard/kyc" isNext={isNext}>
              See why, and try again
            </StepLink>
          }
        >
          Your document was not accepted.
        </Step>
      )
    case 'missing':
      return (
        <Step
          title={title}
          action={
            <StepLink href="/dashboard/kyc" isNext={isNext}>
              Verify
            </StepLink>
          }
        >
          With a picture of your passport. Deposits and withdrawals both need it.
        </Step>
      )
  }
}

interface StepProps {
  title: string
  done?: boolean
  action?: ReactNode
  children: ReactNode
}

function Step({ title, done = false, action, children }: StepProps) {
  return (
    <li className={done ? styles.done : undefined}>
      <h3 className={styles.title}>
        {title}
        {done && (
          <>
            <Check aria-hidden="true" size={18} />
            <span className="visually-hidden">, done</span>
          </>
        )}
      </h3>
      <p className={styles.text}>{children}</p>
      {action}
    </li>
  )
}

interface StepLinkProps {
  href: string
  isNext?: boolean
  children: string
}

function StepLink({ href, isNext = false, children }: StepLinkProps) {
  return (
    <ButtonLink href={href} size={isNext ? 'medium' : 'small'} variant={isNext ? 'primary' : 'secondary'}>
      {children}
    </ButtonLink>
  )
}
