/** What a service answers, in short. */
export const DRAFT = {
  title: 'Sort 😀',
  description: 'नमस्ते\n\nA second line.',
  price: 9.99,
  category_id: 'communication',
};
export const WHOLE = {
  ...DRAFT,
  id: '01980c5e-7a3b-7c4d-9e21-000000000001',
  currency: 'USD',
  developer_id: 'ada',
  created_at: '2026-11-25T00:33:41.622Z',
  updated_at: '2026-11-25T00:33:41.622Z',
};
export const LIST = { data: [], total: 0, page: 1 };

/** Returns the error of work that must fail. */
export async function failure(work: Promise<unknown>): Promise<Error> {
  try {
    await work;
  } catch (error) {
    return error as Error;
  }
  throw new Error('it did not fail');
}
