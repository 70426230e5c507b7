import { ObjectId, type Document, type Filter } from 'mongodb';
import type { DeveloperId } from '../../domain/access.js';
import { signInKey, type Developer, type Invitation } from '../../domain/developer.js';
import type { Activation } from '../../domain/ports.js';
import { developerIdKey, publicNamePart } from '../../domain/public-name.js';
import type { Role } from '../../domain/role.js';
import { entityOf } from './documents.js';

export interface DeveloperDocument {
  _id: DeveloperId;
  /** Grows with each developer that a process adds. */
  position: ObjectId;
  added_at: Date;
  invitation?: Invitation;
  sign_in_name?: string;
  /** The form of the sign-in name by which `domain/developer.ts` tells names apart. */
  sign_in_key?: string;
  password_hash?: string;
  role: Role;
  /** The form of the id that `domain/public-name.ts` compares with public names. */
  id_skeleton: string;
  public_name?: string;
  /** The forms of the public name by which `domain/public-name.ts` tells names apart. */
  public_name_folded?: string;
  public_name_skeleton?: string;
  website?: string;
  active_since?: Date;
  suspended_at?: Date;
  emergency_since?: Date;
  /** The sessions that the developer has started: each start writes the developer, so that a suspension meets it. */
  sign_ins?: number;
}

export function newDeveloper(id: DeveloperId, at: Date): Document {
  return { position: new ObjectId(), added_at: at, id_skeleton: developerIdKey(id) };
}

/** A pipeline, in which a text that starts with a dollar sign would else be the name of a field. */
export function activated({ signInName, passwordHash, at }: Omit<Activation, 'session' | 'entries'>): Document[] {
  return [
    {
      $set: {
        sign_in_name: { $literal: signInName },
        sign_in_key: { $literal: signInKey(signInName) },
        password_hash: { $literal: passwordHash },
        active_since: { $ifNull: ['$active_since', at] },
      },
    },
    { $unset: 'invitation' },
  ];
}

/** Counts the start of a session. The first makes a developer active who is not. */
export function signedIn(at: Date): Document[] {
  const counted = { $add: [{ $ifNull: ['$sign_ins', 0] }, 1] };
  return [{ $set: { sign_ins: counted, active_since: { $ifNull: ['$active_since', at] } } }];
}

/** Returns the filter for these developers, and for those with a name that contains the text. */
export function named(text: string, ids: readonly DeveloperId[]): Filter<DeveloperDocument> {
  const shown = publicNamePart(text);
  return {
    $expr: {
      $or: [
        contains({ $toLower: '$_id' }, { $toLower: { $literal: text } }),
        contains('$sign_in_key', { $literal: signInKey(text) }),
        { $in: ['$_id', { $literal: ids }] },
        ...(shown === '' ? [] : [contains('$public_name_folded', { $literal: shown })]),
      ],
    },
  };
}

function contains(name: Document | string, part: Document): Document {
  return { $gte: [{ $indexOfCP: [name, part] }, 0] };
}

/** The fields that only the storage uses. */
const OWN_FIELDS = ['position', 'id_skeleton', 'sign_in_key', 'public_name_folded', 'public_name_skeleton', 'sign_ins'];

export function developerOf(document: DeveloperDocument): Developer {
  return entityOf(document, OWN_FIELDS) as Developer;
}
