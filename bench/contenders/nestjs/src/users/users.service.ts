import { Injectable } from "@nestjs/common";
import { InjectRepository } from "@nestjs/typeorm";
import { Repository } from "typeorm";
import { Education } from "../entities/education.entity.js";
import { Job } from "../entities/job.entity.js";
import { LinkTree } from "../entities/link-tree.entity.js";
import { Project } from "../entities/project.entity.js";
import { User } from "../entities/user.entity.js";

const CURRENT_FIRST = { isCurrent: "DESC", startDate: "DESC" } as const;

@Injectable()
export class UsersService {
  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    @InjectRepository(Job) private readonly jobs: Repository<Job>,
    @InjectRepository(Project) private readonly projects: Repository<Project>,
    @InjectRepository(LinkTree) private readonly trees: Repository<LinkTree>,
    @InjectRepository(Education) private readonly educations: Repository<Education>,
  ) {}

  /** One query per list: a join of them all would return the product of their rows. */
  async full(id: string): Promise<User> {
    const where = { userId: id };
    const [user, jobs, projects, linkTrees, education] = await Promise.all([
      this.users.findOneOrFail({ where: { id }, relations: { profile: true } }),
      this.jobs.find({ where, order: CURRENT_FIRST }),
      this.projects.find({ where, order: CURRENT_FIRST }),
      this.linkTrees(id),
      this.educations.find({ where, order: CURRENT_FIRST }),
    ]);
    return Object.assign(user, { jobs, projects, linkTrees, education });
  }

  linkTrees(userId: string): Promise<LinkTree[]> {
    return this.trees.find({
      where: { userId },
      relations: { links: true },
      order: { createdAt: "ASC", id: "ASC", links: { position: "ASC" } },
    });
  }
}
