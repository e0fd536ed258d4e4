import { ObjectId, type Db } from 'mongodb';

/** The password of every account of the laboratory. */
export const account = { email: 'load@example.com', name: 'Load', password: 'correct horse battery' };

/** An organization with its administrator, and others that act for it. */
export interface LoadedOrganization {
  /** Of the servers, without a trailing slash. */
  url: string;
  organizationId: string;
  userId: string;
  token: string;
  /** Adds administrators to the organization: each user has a limit of turns. Returns their tokens. */
  addUsers(count: number): Promise<string[]>;
}

/** The organization of an account, which is registered if it does not exist. */
export async function openOrganization(url: string, db: Db, email: string): Promise<LoadedOrganization> {
  const { token, userId } = await signIn(url, email);
  const organizations = db.collection<{ members: { user_id: ObjectId; role: string; joined_at: Date }[] }>(
    'organizations',
  );
  let added = 0;
  const organization = (await organizations.findOne({ 'members.user_id': new ObjectId(userId) }))!;
  return {
    url,
    organizationId: String(organization._id),
    userId,
    token,
    async addUsers(count) {
      const { _id: _, ...first } = (await db.collection('users').findOne({ _id: new ObjectId(userId) }))!;
      const tokens: string[] = [];
      // Few addresses register many accounts, so that these are copies.
      for (const last = added + count; added < last; added += 1) {
        const own = email.replace('@', `-${added}@`);
        const { insertedId: user_id } = await db.collection('users').insertOne({ ...first, email: own });
        const member = { user_id, role: 'admin', joined_at: new Date() };
        await organizations.updateOne({ _id: organization._id }, { $push: { members: member } });
        tokens.push((await signIn(url, own)).token);
      }
      return tokens;
    },
  };
}

async function signIn(url: string, email: string) {
  const post = async (route: string) => {
    const body = JSON.stringify({ ...account, email });
    return await fetch(`${url}/v0/auth/${route}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
  };
  let response = await post('register');
  if (!response.ok) response = await post('login');
  if (!response.ok) throw new Error(`The account could not sign in: ${await response.text()}`);
  const session: { access_token: string; user: { id: string } } = JSON.parse(await response.text());
  return { token: session.access_token, userId: session.user.id };
}
