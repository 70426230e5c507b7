/** The texts of the pages of a developer's own automations. */
export const OWN_SHELF_TEXTS = {
  title: 'Your automations',
  lead: 'Everything that you have published, newest first.',
  emptyTitle: 'Nothing on sale yet',
  emptyText:
    'You need a title, a description, a price and a category. A preview shows how it will look before you publish it.',
  noneText: 'No automation of yours matches this search and category.',
  noneWithdrawnText: 'An automation that you or the operator withdraws is listed here, with the reason.',
  withdrawnLead: 'Buyers no longer see it. You can publish it again as a new automation.',
  withdrawLead: 'It is removed from the market permanently. You can publish it again at any time.',
  reasonHint: 'Kept in the records of the marketplace.',
  withdrawnBy: { developer: 'Withdrawn by you', operator: 'Withdrawn by the operator' },
};

/** The texts of the pages of everyone's automations. */
export const EVERYONES_SHELF_TEXTS: typeof OWN_SHELF_TEXTS = {
  title: 'All automations',
  lead: 'Everything that was ever on sale, of all developers, newest first.',
  emptyTitle: 'Nothing on sale',
  emptyText: 'What developers publish is listed here.',
  noneText: 'No automation matches these filters.',
  noneWithdrawnText: 'An automation that its developer or an operator withdraws is listed here, with the reason.',
  withdrawnLead: 'Buyers no longer see it. Its developer can publish it again as a new automation.',
  withdrawLead: 'It is removed from the market permanently. Its developer can publish it again at any time.',
  reasonHint: 'Its developer can read it.',
  withdrawnBy: { developer: 'Withdrawn by its developer', operator: 'Withdrawn by an operator' },
};
