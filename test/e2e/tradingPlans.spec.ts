import { createSession, PASSWORD } from './support/people.ts'
import { expect, test } from './support/test.ts'

test('each trading plan shows its amount, and leads to the strategies if the balance covers it, else to the deposit', async ({
  open,
}) => {
  const page = await open(await createSession({ email: 'investor@example.com', password: PASSWORD }))
  await page.goto('/dashboard/trading-plans')
  const plans = page.getByRole('region', { name: 'The plans and their risk' })
  await expect(plans.getByText('You could lose all the money you invest.')).toBeVisible()
  for (const [plan, amount] of [
    ['Silver', '$1000'],
    ['Gold', '$3000 - $10000'],
    ['Platinum', '$10000'],
    ['Diamond', '$20000'],
  ] as const) {
    const card = plans
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: plan, exact: true }) })
    await expect(card.getByText(amount, { exact: true })).toBeVisible()
    await expect(card.getByRole('link', { name: `Invest Now in the ${plan} plan` })).toHaveAttribute(
      'href',
      plan === 'Silver' ? '/dashboard/strategies' : '/dashboard/deposit',
    )
    await expect(
      card.getByText(plan === 'Silver' ? 'Fits your balance' : /^Deposit \$[\d,.]+ more$/),
    ).toBeVisible()
  }
  const gold = plans.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Gold' }) })
  await expect(gold.getByText('$1,500.00 to $5,000.00 left')).toBeVisible()
  await plans.getByRole('link', { name: 'Invest Now in the Silver plan' }).click()
  await expect(page).toHaveURL('/dashboard/strategies')
  await page.goto('/dashboard/trading-plans')
  await plans.getByRole('link', { name: 'Invest Now in the Diamond plan' }).click()
  await expect(page).toHaveURL('/dashboard/deposit')
})
