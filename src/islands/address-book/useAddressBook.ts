import { useResource } from '../lib/resource.ts'

/** The address book and what shows it, fetched once somebody has a use for it. */
export function useAddressBook(isWanted: boolean) {
  return useResource(isWanted ? 'address book' : null, async () => {
    const [saved, { ChooseAddress }, { AddressBookDialog }] = await Promise.all([
      import('./loadAddresses.ts').then(({ loadAddresses }) => loadAddresses()),
      import('./ChooseAddress.tsx'),
      import('./AddressBookDialog.tsx'),
    ])
    return { saved, ChooseAddress, AddressBookDialog }
  })
}
