import 'reflect-metadata';
import { Container, type ContainerModule, type ServiceIdentifier } from 'inversify';

/** Builds the container of the program, and returns the one thing that is asked of it. */
export function compose<Wanted>(wanted: ServiceIdentifier<Wanted>, ...modules: readonly ContainerModule[]): Wanted {
  const container = new Container({ defaultScope: 'Singleton' });
  container.load(...modules);
  return container.get(wanted);
}
